-- Moves new events from the outbox to the log, numbers them without gaps within each account, and plans and enqueues
-- their deliveries. Returns the number of events. The account's counter stays locked until commit, so a client that has
-- read up to a number has read every event below it. Always uses the indexes: plans are made while the outbox is empty.
-- requires: platform/uuidv7_at, webhooks/subscribers_of
CREATE OR REPLACE FUNCTION number_events(most integer, at timestamptz) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
AS $$
DECLARE
  ids uuid[];
  accounts bigint[];
  types text[];
  subjects text[];
BEGIN
  IF to_regclass('public.events_unpartitioned') IS NOT NULL THEN
    -- Events that the previous release recorded in the former table during the upgrade.
    WITH waiting AS (
      DELETE FROM events_unpartitioned e WHERE e.account_sequence IS NULL
      RETURNING e.id, e.account_id, e.type, e.subject_id, e.data, e.occurred_at
    )
    INSERT INTO event_outbox (id, account_id, type, subject_id, data, occurred_at) SELECT * FROM waiting;
  END IF;
  -- The usual case, several times per second, costs as little as possible.
  IF NOT EXISTS (SELECT FROM event_outbox) THEN RETURN 0; END IF;
  WITH taken AS (
    -- The oldest events that no other sequencer is moving.
    DELETE FROM event_outbox o
     WHERE o.id = ANY (ARRAY(SELECT w.id FROM event_outbox w ORDER BY w.id LIMIT most FOR UPDATE SKIP LOCKED))
    RETURNING o.id, o.account_id, o.type, o.subject_id, o.data, o.occurred_at
  ), counters AS (
    -- Raise each account's counter by its new events; this also locks the counter. Events of deleted accounts are lost.
    INSERT INTO event_counters AS c (account_id, last)
    SELECT t.account_id, count(*) FROM taken t
     WHERE EXISTS (SELECT FROM account_info a WHERE a.id = t.account_id)
     GROUP BY t.account_id ORDER BY t.account_id
    ON CONFLICT (account_id) DO UPDATE SET last = c.last + excluded.last
    RETURNING c.account_id, c.last
  ), written AS (
    -- Number the events in the order in which they occurred.
    INSERT INTO events (id, account_id, type, subject_id, data, occurred_at, account_sequence)
    SELECT t.id, t.account_id, t.type, t.subject_id, t.data, t.occurred_at,
           c.last - count(*) OVER (PARTITION BY t.account_id) + row_number() OVER (
             PARTITION BY t.account_id
             ORDER BY t.occurred_at, t.subject_id, coalesce((t.data->>'sequence')::integer, 0), t.id)
      FROM taken t JOIN counters c ON c.account_id = t.account_id
    RETURNING events.id, events.account_id, events.type, events.subject_id, events.account_sequence
  )
  SELECT array_agg(w.id), array_agg(w.account_id), array_agg(w.type), array_agg(w.subject_id)
    INTO ids, accounts, types, subjects FROM (SELECT * FROM written ORDER BY account_sequence) w;
  IF EXISTS (
       SELECT FROM integrations i WHERE i.account_id = ANY (accounts) AND i.webhook AND i.disabled_at IS NULL) THEN
    WITH planned AS (
      -- One delivery per integration that receives the event.
      INSERT INTO deliveries (id, account_id, integration_id, event_id, type, state, created_at, next_attempt_at)
      SELECT uuidv7_at(at), e.account_id, s.id, e.id, e.type, 'pending', at, at
        FROM unnest(ids, accounts, types, subjects) AS e (id, account_id, type, subject_id)
       CROSS JOIN LATERAL subscribers_of(e.account_id, e.type, e.subject_id) AS s (id)
       WHERE e.type = ANY ('{channel-create,channel-ringing,channel-answer,channel-hangup,call-priced,channel-hold,channel-unhold,channel-transfer,channel-conference,recording-ready,call-updated,charge-paid,balance-low}'::text[])
      RETURNING deliveries.id, deliveries.integration_id
    )
    -- In the order of the events. Deliveries to a failing endpoint are retries from the start, so that they do not delay
    -- other endpoints.
    INSERT INTO delivery_queue (delivery_id, integration_id, is_retry, due_at)
      SELECT p.id, p.integration_id,
             (SELECT i.failing_since IS NOT NULL FROM integrations i WHERE i.id = p.integration_id), at
        FROM planned p;
  END IF;
  RETURN coalesce(cardinality(ids), 0);
END
$$;
REVOKE ALL ON FUNCTION number_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION number_events TO disca_service;
