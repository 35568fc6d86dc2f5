-- Moves new events from the outbox to the log, numbers them without gaps within each account, and plans their deliveries.
-- The account's counter stays locked until commit, so a client that has read up to a number has read every event below it.
-- requires: platform/uuidv7_at, webhooks/subscribers_of
CREATE OR REPLACE FUNCTION sequence_events(most integer, at timestamptz) RETURNS TABLE (sequenced integer, planned jsonb)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  IF to_regclass('public.events_unpartitioned') IS NOT NULL THEN
    -- Events that the previous release recorded in the former table during the upgrade.
    WITH waiting AS (
      DELETE FROM events_unpartitioned e WHERE e.account_sequence IS NULL
      RETURNING e.id, e.account_id, e.type, e.subject_id, e.data, e.occurred_at
    )
    INSERT INTO event_outbox (id, account_id, type, subject_id, data, occurred_at) SELECT * FROM waiting;
  END IF;
  RETURN QUERY
    WITH taken AS (
      -- The oldest events that no other sequencer is moving.
      DELETE FROM event_outbox o
       WHERE o.id = ANY (ARRAY(SELECT w.id FROM event_outbox w ORDER BY w.id LIMIT most FOR UPDATE SKIP LOCKED))
      RETURNING o.id, o.account_id, o.type, o.subject_id, o.data, o.occurred_at
    ), fresh AS (
      SELECT t.*, coalesce((t.data->>'sequence')::integer, 0) AS step
        FROM taken t WHERE EXISTS (SELECT FROM account_info a WHERE a.id = t.account_id)
    ), counters AS (
      -- Raise each account's counter by its new events; this also locks the counter.
      INSERT INTO event_counters AS c (account_id, last)
      SELECT f.account_id, count(*) FROM fresh f GROUP BY f.account_id ORDER BY f.account_id
      ON CONFLICT (account_id) DO UPDATE SET last = c.last + excluded.last
      RETURNING c.account_id, c.last
    ), numbered AS (
      -- Number the events in the order in which they occurred.
      SELECT f.*, b.last - count(*) OVER (PARTITION BY f.account_id)
               + row_number() OVER (PARTITION BY f.account_id ORDER BY f.occurred_at, f.subject_id, f.step, f.id) AS number
        FROM fresh f JOIN counters b ON b.account_id = f.account_id
    ), written AS (
      INSERT INTO events (id, account_id, type, subject_id, data, occurred_at, account_sequence)
      SELECT n.id, n.account_id, n.type, n.subject_id, n.data, n.occurred_at, n.number FROM numbered n
      RETURNING events.id
    ), planned_deliveries AS (
      -- One delivery per integration that receives the event.
      INSERT INTO deliveries (id, account_id, integration_id, event_id, type, state, created_at, next_attempt_at)
      SELECT uuidv7_at(at), n.account_id, s.id, n.id, n.type, 'pending', at, at
        FROM numbered n CROSS JOIN LATERAL subscribers_of(n.account_id, n.type, n.subject_id) AS s (id)
       WHERE n.type = ANY ('{channel-create,channel-ringing,channel-answer,channel-hangup,call-priced,recording-ready,charge-paid,balance-low}'::text[])
      RETURNING deliveries.id, deliveries.integration_id
    )
    SELECT (SELECT count(*)::integer FROM written),
           coalesce((SELECT jsonb_agg(jsonb_build_object('id', t.id, 'integrationId', t.integration_id,
                                                         'isFailing', i.failing_since IS NOT NULL))
                       FROM planned_deliveries t JOIN integrations i ON i.id = t.integration_id), '[]');
END
$$;
REVOKE ALL ON FUNCTION sequence_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sequence_events TO disca_service;
