-- Stores a batch of requests of any accounts and counts them per account and UTC day. Beyond `most_per_day` they are
-- only counted. Runs as the owner, because a batch has no single account.
-- requires: platform/uuidv7_at
CREATE OR REPLACE FUNCTION record_requests(batch jsonb, most_per_day integer) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  WITH given AS MATERIALIZED (
    SELECT r.*, (r.at AT TIME ZONE 'UTC')::date AS day
      FROM jsonb_to_recordset(batch) AS r (
        account_id bigint, user_uuid uuid, token_hash text, at timestamptz, method text, route text, status integer,
        error_code text, invalid_fields jsonb, ignored_fields jsonb, request_id text, address text,
        duration_ms integer)
  ), counted AS (
    -- In one order, so that batches of several processes cannot deadlock.
    INSERT INTO request_counts AS c (account_id, day, total)
    SELECT g.account_id, g.day, count(*) FROM given g GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (account_id, day) DO UPDATE SET total = c.total + excluded.total
    RETURNING c.account_id, c.day, c.total
  ), numbered AS (
    SELECT g.*, c.total - count(*) OVER whole + row_number() OVER (whole ORDER BY g.at) AS number
      FROM given g JOIN counted c ON c.account_id = g.account_id AND c.day = g.day
    WINDOW whole AS (PARTITION BY g.account_id, g.day)
  )
  INSERT INTO requests (id, account_id, user_uuid, at, method, route, status, error_code, invalid_fields,
                        ignored_fields, request_id, token_name, address, duration_ms)
  SELECT uuidv7_at(n.at), n.account_id, n.user_uuid, n.at, n.method, n.route, n.status, n.error_code,
         n.invalid_fields, n.ignored_fields, n.request_id, t.name, n.address, n.duration_ms
    FROM numbered n LEFT JOIN access_tokens t ON t.hash = decode(n.token_hash, 'base64')
   WHERE n.number <= most_per_day;
END
$$;
REVOKE ALL ON FUNCTION record_requests FROM PUBLIC;
GRANT EXECUTE ON FUNCTION record_requests TO disca_service;
