-- Returns the outbound calls of one book that ended in [since, until), summed by extension and person, for contexts that
-- have no access to calls. With `of_user`, only the user's own calls. A person is the user of the extension, under the
-- name and address of the latest call; of extensions without a user, the address. Calls are read by their start, up to
-- two days before.
-- requires: calls/owns_call, platform/uuid_floor
CREATE OR REPLACE FUNCTION calls_by_extension(
  of_account bigint, of_book text, since timestamptz, until timestamptz, of_user bigint
) RETURNS TABLE (
    extension text, first_name text, last_name text, email text, calls bigint, answered bigint, talk_seconds bigint,
    charged bigint, price_micros bigint
  )
  LANGUAGE sql STABLE
AS $$
  WITH named AS (
    SELECT c."from", coalesce(c.user_id::text, c.email) AS person, c.first_name, c.last_name, c.email,
           max(c.started_at) AS latest, count(*) AS calls, count(c.answered_at) AS answered, sum(c.duration) AS talked,
           count(*) FILTER (WHERE c.call_price_micros > 0) AS charged, sum(coalesce(c.call_price_micros, 0)) AS price
      FROM calls c
     WHERE c.account_id = of_account AND c.id >= uuid_floor(since - interval '2 days') AND c.id < uuid_floor(until)
       AND c.status = 'ended' AND c.ended_at >= since AND c.ended_at < until
       AND c.call_type = 'outbound' AND c.book = of_book
       AND (of_user IS NULL OR coalesce(owns_call(of_user, c.user_id, c.requested_by), false))
     GROUP BY 1, 2, 3, 4, 5)
  SELECT n."from", (array_agg(n.first_name ORDER BY n.latest DESC))[1], (array_agg(n.last_name ORDER BY n.latest DESC))[1],
         (array_agg(n.email ORDER BY n.latest DESC))[1], sum(n.calls)::bigint, sum(n.answered)::bigint,
         sum(n.talked)::bigint, sum(n.charged)::bigint, sum(n.price)::bigint
    FROM named n GROUP BY n."from", n.person;
$$;
REVOKE ALL ON FUNCTION calls_by_extension FROM PUBLIC;
GRANT EXECUTE ON FUNCTION calls_by_extension TO disca_service;
