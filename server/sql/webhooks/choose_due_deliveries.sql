-- Leases due deliveries of one lane, at most `most`, and returns their ids. Across all workers, these are leased at a
-- time: `per_endpoint` of each endpoint, one of an endpoint that has never accepted a delivery, `per_account` of each
-- account or its budget if that is lower, and a fifth of `per_account` of each host. Endpoints that have not accepted a
-- delivery do not use the slots of their host, so that they cannot take them from others; the worker limits their rate.
-- A lease ends by the database's clock, which all workers share. Always uses the indexes: plans are made once, while the
-- queue is short, and must still be right when it is long.
-- requires: webhooks/endpoint_of
CREATE OR REPLACE FUNCTION choose_due_deliveries(
    of_retries boolean, most integer, per_endpoint integer, per_account integer, slow bigint[], at timestamptz, lease interval)
  RETURNS uuid[] LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  SET enable_seqscan = off SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  chosen uuid[] := '{}';
  fitting uuid[];
  crowding uuid[];
  slowing uuid[];
  wanted integer := most;
  seen integer;
  per_host CONSTANT integer := greatest(per_endpoint, per_account / 5);
BEGIN
  -- The usual case, several times per second, costs as little as possible: nothing is due, held or left by a worker.
  IF NOT EXISTS (SELECT FROM delivery_queue q
                  WHERE q.is_retry = of_retries AND q.taken_until IS NULL AND NOT q.is_held AND q.due_at <= at)
     AND NOT EXISTS (SELECT FROM delivery_queue q WHERE q.is_retry = of_retries AND q.is_held)
     AND NOT EXISTS (SELECT FROM delivery_queue q WHERE q.is_retry = of_retries AND q.taken_until <= now()) THEN
    RETURN chosen;
  END IF;
  -- One worker at a time, so that the limits hold. The commit is not flushed: after a crash of PostgreSQL a lost lease
  -- leads to one more attempt, never to one less.
  PERFORM set_config('synchronous_commit', 'off', true);
  PERFORM pg_advisory_xact_lock(42, of_retries::integer);
  UPDATE delivery_queue q SET taken_until = NULL WHERE q.is_retry = of_retries AND q.taken_until <= now();
  -- Held first attempts of slow endpoints leave the lane too, some at a time, and wait in the other one.
  IF NOT of_retries AND cardinality(slow) > 0 THEN
    UPDATE delivery_queue q SET is_retry = true
     WHERE q.delivery_id = ANY (ARRAY(
       SELECT h.delivery_id FROM delivery_queue h
        WHERE h.is_held AND h.is_retry = of_retries AND h.integration_id = ANY (slow) LIMIT most));
  END IF;
  -- Reads on if most of what was read cannot be taken now, within bounds: other workers wait.
  FOR pass IN 1..20 LOOP
    WITH RECURSIVE busy AS MATERIALIZED (
      SELECT t.id, t.taken, i.account_id, coalesce(i.webhook_host, i.webhook_url) AS host, i.proven_at IS NOT NULL AS is_proven
        FROM (SELECT q.integration_id AS id, count(*)::integer AS taken FROM delivery_queue q
               WHERE q.is_retry = of_retries AND q.taken_until IS NOT NULL GROUP BY q.integration_id) t
        JOIN integrations i ON i.id = t.id
    ), accounts_busy AS MATERIALIZED (
      SELECT b.account_id AS id, sum(b.taken)::integer AS taken FROM busy b GROUP BY b.account_id
    ), hosts_busy AS MATERIALIZED (
      SELECT b.host AS id, sum(b.taken)::integer AS taken FROM busy b WHERE b.is_proven GROUP BY b.host
    ), crowded AS (
      -- Endpoints with held deliveries: one index lookup for each.
      SELECT (SELECT min(q.integration_id) FROM delivery_queue q WHERE q.is_held AND q.is_retry = of_retries) AS id
      UNION ALL
      SELECT (SELECT min(q.integration_id) FROM delivery_queue q
               WHERE q.is_held AND q.is_retry = of_retries AND q.integration_id > c.id)
        FROM crowded c WHERE c.id IS NOT NULL
    ), freed AS MATERIALIZED (
      -- Held deliveries whose endpoint, account and host have free slots again, for up to half of what is taken.
      SELECT o.delivery_id, o.account_id, o.host, o.is_proven FROM (
        SELECT h.delivery_id, h.due_at, e.account_id, e.host, e.is_proven,
               coalesce(a.taken, 0) + row_number() OVER (PARTITION BY e.account_id ORDER BY h.due_at) <= e.account_slots
                 AND (NOT e.is_proven OR coalesce(s.taken, 0) + count(*) FILTER (WHERE e.is_proven)
                        OVER (PARTITION BY e.host ORDER BY h.due_at, h.delivery_id) <= per_host) AS fits
          FROM crowded c LEFT JOIN busy b ON b.id = c.id
         CROSS JOIN LATERAL endpoint_of(c.id, per_account) e
          LEFT JOIN accounts_busy a ON a.id = e.account_id
          LEFT JOIN hosts_busy s ON s.id = e.host
         CROSS JOIN LATERAL (
           SELECT q.delivery_id, q.due_at FROM delivery_queue q
            WHERE q.is_held AND q.is_retry = of_retries AND q.integration_id = c.id
              AND coalesce(a.taken, 0) < e.account_slots AND (NOT e.is_proven OR coalesce(s.taken, 0) < per_host)
            ORDER BY q.due_at
            LIMIT greatest(CASE WHEN e.is_proven THEN per_endpoint ELSE 1 END - coalesce(b.taken, 0), 0)) h
         WHERE c.id IS NOT NULL) o
       WHERE o.fits ORDER BY o.due_at LIMIT wanted / 2
    ), front AS MATERIALIZED (
      -- Deliveries of one statement have the same time, and are read in the order in which they were inserted.
      SELECT q.delivery_id, q.integration_id, row_number() OVER (ORDER BY q.due_at) AS place FROM delivery_queue q
       WHERE q.is_retry = of_retries AND q.taken_until IS NULL AND NOT q.is_held AND q.due_at <= at
       ORDER BY q.due_at LIMIT wanted - (SELECT count(*) FROM freed)
    ), endpoints AS MATERIALIZED (
      SELECT d.id, e.* FROM (SELECT DISTINCT f.integration_id AS id FROM front f) d
        LEFT JOIN LATERAL endpoint_of(d.id, per_account) e ON true
    ), by_endpoint AS (
      SELECT f.delivery_id, f.place, e.account_id, e.account_slots, e.host, e.is_proven,
             f.integration_id = ANY (slow) AS is_slow,
             c.id IS NULL AND coalesce(b.taken, 0) + row_number() OVER (PARTITION BY f.integration_id ORDER BY f.place)
               <= CASE WHEN e.is_proven THEN per_endpoint ELSE 1 END AS fits
        FROM front f LEFT JOIN busy b ON b.id = f.integration_id LEFT JOIN crowded c ON c.id = f.integration_id
        LEFT JOIN endpoints e ON e.id = f.integration_id
    ), ranked AS (
      SELECT e.delivery_id, e.is_slow,
             e.fits
               AND coalesce(a.taken, 0) + coalesce(o.taken, 0) + count(*) FILTER (WHERE e.fits AND NOT e.is_slow)
                     OVER (PARTITION BY e.account_id ORDER BY e.place)
                   <= coalesce(e.account_slots, per_account)
               AND (e.is_proven IS NOT TRUE
                    OR coalesce(s.taken, 0) + coalesce(p.taken, 0) + count(*) FILTER (WHERE e.fits AND NOT e.is_slow)
                         OVER (PARTITION BY e.host, e.is_proven ORDER BY e.place) <= per_host) AS fits
        FROM by_endpoint e
        LEFT JOIN accounts_busy a ON a.id = e.account_id
        LEFT JOIN hosts_busy s ON s.id = e.host
        LEFT JOIN (SELECT f.account_id AS id, count(*) AS taken FROM freed f GROUP BY f.account_id) o ON o.id = e.account_id
        LEFT JOIN (SELECT f.host AS id, count(*) AS taken FROM freed f WHERE f.is_proven GROUP BY f.host) p ON p.id = e.host
       UNION ALL SELECT f.delivery_id, false, true FROM freed f
    )
    SELECT count(*), array_agg(r.delivery_id) FILTER (WHERE r.fits AND NOT r.is_slow),
           array_agg(r.delivery_id) FILTER (WHERE NOT r.fits AND NOT r.is_slow),
           array_agg(r.delivery_id) FILTER (WHERE r.is_slow)
      INTO seen, fitting, crowding, slowing FROM ranked r;
    UPDATE delivery_queue q SET taken_until = now() + lease, is_held = false WHERE q.delivery_id = ANY (fitting);
    chosen := chosen || fitting;
    -- What cannot be taken now leaves the front of the lane, so that it is not read again and again.
    IF crowding IS NOT NULL THEN
      UPDATE delivery_queue q SET is_held = true WHERE q.delivery_id = ANY (crowding);
    END IF;
    IF slowing IS NOT NULL THEN
      UPDATE delivery_queue q SET is_retry = true WHERE q.delivery_id = ANY (slowing);
    END IF;
    EXIT WHEN seen < wanted OR cardinality(chosen) > most / 2;
    wanted := most - cardinality(chosen);
  END LOOP;
  RETURN chosen;
END
$$;
REVOKE ALL ON FUNCTION choose_due_deliveries FROM PUBLIC;
