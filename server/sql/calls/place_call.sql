-- Places an outbound call of an extension in one statement: reads what the decision needs, decides in the documented
-- order, holds the credit, reserves the slot, and writes the call and, if given, the idempotency key. A refused call
-- changes nothing. The caller proposes the media node; one that is full, draining, disconnected or under another lease
-- is not chosen. Runs with the rights of the service, which sees only rows of its account. Outcomes besides "placed":
--   "key"          the key is known or in use; the caller replays or refuses
--   those of outbound_terms and, as refusals, of hold_for_call
--   "low"          the caller has to repeat the request in a transaction that publishes the low-balance alert
-- requires: billing/hold_for_call, calls/outbound_terms, calls/write_call, recordings/may_record
CREATE OR REPLACE FUNCTION place_call(
  of_account bigint, request jsonb,
  OUT outcome text, OUT book text, OUT funded_seconds integer, OUT order_data jsonb, OUT bina text,
  OUT available_micros bigint, OUT became_low boolean, OUT calls_per_second integer
)
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  r record;
  t record;
  hold call_holds;
BEGIN
  SELECT * INTO r FROM jsonb_to_record(request) AS r (
    id uuid, kind text, at timestamptz, ramal text, requested_by bigint, destination text, leg text, sip text,
    may_alert boolean, transaction_id uuid, dialer_id uuid,
    chosen_node text, chosen_epoch bigint, route text, key text, key_lock text, key_hash text, key_kept_seconds integer, answer jsonb);
  IF r.key IS NOT NULL THEN
    IF NOT pg_try_advisory_xact_lock(hashtextextended(r.key_lock, 0)) OR EXISTS (
         SELECT FROM idempotency_keys k WHERE k.account_id = of_account AND k.route = r.route AND k.key = r.key
            AND k.created_at >= r.at - make_interval(secs => r.key_kept_seconds)) THEN
      outcome := 'key';
      RETURN;
    END IF;
  END IF;

  SELECT * INTO t FROM outbound_terms(of_account, r.id, r.ramal, request);
  outcome := t.outcome;
  bina := t.bina;
  IF outcome IS NOT NULL THEN RETURN; END IF;

  hold := t.hold;
  book := hold.book;
  funded_seconds := hold.funded_seconds;
  calls_per_second := t.calls_per_second;
  SELECT h.outcome, h.available, h.became_low INTO outcome, available_micros, became_low
    FROM hold_for_call(hold, r.at, r.transaction_id, t.threshold_micros, t.daily_spend_micros, true,
      r.kind <> 'click' OR t.transport IS NOT NULL, true, t.calls_per_second, t.concurrent_calls, r.may_alert) h;
  IF outcome <> 'held' THEN RETURN; END IF;

  order_data := jsonb_build_object('ramal', r.ramal, 'domain', t.domain, 'destination', r.destination,
      'callerId', t.presented,
      'record', t.record_calls AND (NOT t.limits_recording OR may_record(of_account, r.at)),
      'autoAnswer', r.kind = 'click' AND (t.is_own OR t.auto_answer))
    || CASE WHEN r.kind = 'click' THEN jsonb_build_object('phone', jsonb_build_object('transport', t.transport, 'edge', t.edge))
            ELSE jsonb_build_object('leg', r.leg, 'sip', r.sip) END;
  PERFORM write_call(of_account, request || jsonb_build_object('call_type', 'outbound', 'book', book, 'order', order_data,
    'extension_id', t.extension_id, 'user_id', t.user_id, 'email', t.email_address, 'first_name', t.first_name,
    'last_name', t.last_name, 'bina', t.bina, 'funded_seconds', funded_seconds, 'chosen_node', (
      SELECT n.name FROM node_leases n
       WHERE n.name = r.chosen_node AND n.epoch = r.chosen_epoch AND n.accepts_calls),
    'requested_by', CASE WHEN r.kind = 'click' THEN r.requested_by ELSE t.user_id END));
  IF r.key IS NOT NULL THEN
    INSERT INTO idempotency_keys AS k (account_id, route, key, request_hash, status, body, created_at)
      VALUES (of_account, r.route, r.key, decode(r.key_hash, 'hex'), 200, r.answer, r.at)
      ON CONFLICT (account_id, route, key) DO UPDATE SET request_hash = excluded.request_hash, subject_id = NULL,
        status = excluded.status, body = excluded.body, created_at = excluded.created_at;
  END IF;
  outcome := 'placed';
END
$$;
REVOKE ALL ON FUNCTION place_call FROM PUBLIC;
GRANT EXECUTE ON FUNCTION place_call TO disca_service;
