-- Stores the results of delivery attempts, and removes their deliveries from the queue or enqueues the next attempt.
-- Returns the integrations that have failed continuously since `failing_before` or earlier, which the caller then
-- disables. If two workers made the same attempt, because a lease had expired, the first result counts.
CREATE OR REPLACE FUNCTION finish_attempts(results json, at timestamptz, failing_before timestamptz)
  RETURNS TABLE (integration_id bigint, account_id bigint)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  ids uuid[];
  delivered bigint[];
  failed bigint[];
  proved json;
BEGIN
  WITH r AS MATERIALIZED (
    SELECT * FROM json_to_recordset(results) AS r (
      delivery_id uuid, account_id bigint, integration_id bigint, number integer, round_attempts integer,
      at timestamptz, duration_ms integer, outcome text, status integer, detail text, address text,
      response_body text, state text, next_attempt_at timestamptz, proves_url text)
  ), written AS (
    INSERT INTO delivery_attempts (delivery_id, number, account_id, at, duration_ms, outcome, status, detail, address, response_body)
    SELECT r.delivery_id, r.number, r.account_id, r.at, r.duration_ms, r.outcome, r.status, r.detail, r.address, r.response_body
      FROM r ON CONFLICT DO NOTHING RETURNING delivery_id
  ), new AS MATERIALIZED (
    SELECT r.* FROM r JOIN written w ON w.delivery_id = r.delivery_id
  ), moved AS (
    -- Finish each delivery, or set its next attempt.
    UPDATE deliveries d
       SET state = n.state, attempts = n.number, round_attempts = n.round_attempts, last_outcome = n.outcome,
           next_attempt_at = n.next_attempt_at, ended_at = CASE WHEN n.state <> 'pending' THEN n.at END
      FROM new n WHERE d.id = n.delivery_id
  ), requeued AS (
    INSERT INTO delivery_queue (delivery_id, integration_id, is_retry, due_at)
    SELECT n.delivery_id, n.integration_id, true, n.next_attempt_at FROM new n WHERE n.state = 'pending'
    ON CONFLICT (delivery_id) DO UPDATE SET is_retry = true, due_at = excluded.due_at, taken_until = NULL, is_held = false
  )
  SELECT array_agg(n.delivery_id) FILTER (WHERE n.state <> 'pending'),
         array_agg(DISTINCT n.integration_id) FILTER (WHERE n.outcome = 'delivered'),
         -- A delivery that ends unsent, because its webhook is disabled or its owner may not receive it, is no failure.
         array_agg(DISTINCT n.integration_id)
           FILTER (WHERE n.outcome <> 'delivered' AND (n.outcome <> 'gone' OR n.status IS NOT NULL)),
         json_agg(json_build_object('id', n.integration_id, 'url', n.proves_url))
           FILTER (WHERE n.outcome = 'delivered' AND n.proves_url IS NOT NULL)
    INTO ids, delivered, failed, proved FROM new n;
  DELETE FROM delivery_queue q WHERE q.delivery_id = ANY (ids);
  -- Integrations with a success are healthy again. Locked in the order of their ids, so that writers cannot deadlock.
  UPDATE integrations i SET failing_since = NULL
    FROM (SELECT h.id FROM integrations h WHERE h.id = ANY (delivered) AND h.failing_since IS NOT NULL
           ORDER BY h.id FOR NO KEY UPDATE) healthy
   WHERE i.id = healthy.id;
  -- The first success proves an endpoint, unless its URL was changed meanwhile.
  IF proved IS NOT NULL THEN
    UPDATE integrations i SET proven_at = at
      FROM (SELECT h.id FROM integrations h JOIN json_to_recordset(proved) AS p (id bigint, url text)
                ON p.id = h.id AND p.url = h.webhook_url
             WHERE h.proven_at IS NULL ORDER BY h.id FOR NO KEY UPDATE OF h) proven
     WHERE i.id = proven.id;
  END IF;
  IF failed IS NULL THEN
    RETURN;
  END IF;
  -- Integrations with only failures are failing from now on, unless they already were.
  UPDATE integrations i SET failing_since = at
    FROM (SELECT h.id FROM integrations h
           WHERE h.id = ANY (failed) AND h.id <> ALL (coalesce(delivered, '{}')) AND h.failing_since IS NULL
           ORDER BY h.id FOR NO KEY UPDATE) failing
   WHERE i.id = failing.id;
  RETURN QUERY
    SELECT i.id, i.account_id FROM integrations i
     WHERE i.id = ANY (failed) AND i.id <> ALL (coalesce(delivered, '{}')) AND i.failing_since <= failing_before
       AND i.disabled_at IS NULL;
END
$$;
REVOKE ALL ON FUNCTION finish_attempts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION finish_attempts TO disca_service;
