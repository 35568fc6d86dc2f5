-- Leases due deliveries of one lane, at most `most`, and returns their ids. At most `per_endpoint` of each endpoint and
-- `per_account` of each account are leased at a time, across all workers. A lease ends by the database's clock, which
-- all workers share. Always uses the indexes: plans are made once, while the queue is short, and must still be right when it
-- is long.
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
  -- Reads on if most of what was read cannot be taken now, within bounds: other workers wait.
  FOR pass IN 1..20 LOOP
    WITH RECURSIVE busy AS MATERIALIZED (
      SELECT q.integration_id AS id, count(*)::integer AS taken FROM delivery_queue q
       WHERE q.is_retry = of_retries AND q.taken_until IS NOT NULL GROUP BY q.integration_id
    ), accounts_busy AS MATERIALIZED (
      SELECT i.account_id AS id, sum(b.taken)::integer AS taken
        FROM busy b JOIN integrations i ON i.id = b.id GROUP BY i.account_id
    ), crowded AS (
      -- Endpoints with held deliveries: one index lookup for each.
      SELECT (SELECT min(q.integration_id) FROM delivery_queue q WHERE q.is_held AND q.is_retry = of_retries) AS id
      UNION ALL
      SELECT (SELECT min(q.integration_id) FROM delivery_queue q
               WHERE q.is_held AND q.is_retry = of_retries AND q.integration_id > c.id)
        FROM crowded c WHERE c.id IS NOT NULL
    ), freed AS MATERIALIZED (
      -- Held deliveries whose endpoint and account have free slots again, for up to half of what is taken.
      SELECT o.delivery_id, o.account_id FROM (
        SELECT h.delivery_id, h.due_at, i.account_id, coalesce(a.taken, 0)
                 + row_number() OVER (PARTITION BY i.account_id ORDER BY h.due_at) <= per_account AS fits
          FROM crowded c LEFT JOIN busy b ON b.id = c.id
          LEFT JOIN integrations i ON i.id = c.id LEFT JOIN accounts_busy a ON a.id = i.account_id
         CROSS JOIN LATERAL (
           SELECT q.delivery_id, q.due_at FROM delivery_queue q
            WHERE q.is_held AND q.is_retry = of_retries AND q.integration_id = c.id
              AND coalesce(a.taken, 0) < per_account
            ORDER BY q.due_at LIMIT greatest(per_endpoint - coalesce(b.taken, 0), 0)) h
         WHERE c.id IS NOT NULL) o
       WHERE o.fits ORDER BY o.due_at LIMIT wanted / 2
    ), front AS MATERIALIZED (
      SELECT q.delivery_id, q.integration_id, q.due_at FROM delivery_queue q
       WHERE q.is_retry = of_retries AND q.taken_until IS NULL AND NOT q.is_held AND q.due_at <= at
       ORDER BY q.due_at LIMIT wanted - (SELECT count(*) FROM freed)
    ), by_endpoint AS (
      SELECT f.delivery_id, f.due_at, i.account_id, f.integration_id = ANY (slow) AS is_slow,
             c.id IS NULL AND coalesce(b.taken, 0)
               + row_number() OVER (PARTITION BY f.integration_id ORDER BY f.due_at) <= per_endpoint AS fits
        FROM front f LEFT JOIN busy b ON b.id = f.integration_id LEFT JOIN crowded c ON c.id = f.integration_id
        LEFT JOIN integrations i ON i.id = f.integration_id
    ), ranked AS (
      SELECT e.delivery_id, e.is_slow, e.fits AND coalesce(a.taken, 0) + coalesce(o.taken, 0)
               + count(*) FILTER (WHERE e.fits AND NOT e.is_slow)
                   OVER (PARTITION BY e.account_id ORDER BY e.due_at, e.delivery_id) <= per_account AS fits
        FROM by_endpoint e LEFT JOIN accounts_busy a ON a.id = e.account_id
        LEFT JOIN (SELECT f.account_id AS id, count(*) AS taken FROM freed f GROUP BY f.account_id) o ON o.id = e.account_id
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
