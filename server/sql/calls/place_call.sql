-- Places an outbound call of an extension in one statement: reads what the decision needs, decides in the documented
-- order, holds the credit, reserves the slot, and writes the call and, if given, the idempotency key. A refused call
-- changes nothing. The caller proposes the media node; one that is full, draining, disconnected or under another lease
-- is not chosen. Runs with the rights of the service, which sees only rows of its account. Outcomes besides "placed":
--   "key"          the key is known or in use; the caller replays or refuses
--   "extension", "owner", "unapproved", "suspended", "destination", "caller", "price", "minute_price" and those of
--   hold_for_call: refusals
--   "internal"     the called number is an extension of the account
--   "bina"         the caller has to normalise the extension's `bina` and to repeat the request
--   "low"          the caller has to repeat the request in a transaction that publishes the low-balance alert
-- requires: billing/billable_seconds, billing/call_price_micros, billing/hold_for_call, calls/write_call, recordings/may_record
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
  is_own boolean;
  wanted_id text;
  presented text;
BEGIN
  SELECT * INTO r FROM jsonb_to_record(request) AS r (
    id uuid, kind text, at timestamptz, ramal text, callee text, requested_by bigint, must_own boolean,
    destination text, country text, prefixes text[], caller text, must_present boolean, bina_digits text,
    leg text, sip text, may_alert boolean, transaction_id uuid, dialer_id uuid,
    ahead_seconds integer, grace_seconds integer, calls_per_second integer,
    daily_spend_micros bigint, price_per_minute_micros bigint, countries text[],
    chosen_node text, chosen_epoch bigint, route text, key text, key_lock text, key_hash text, key_kept_seconds integer, answer jsonb);
  IF r.key IS NOT NULL THEN
    IF NOT pg_try_advisory_xact_lock(hashtextextended(r.key_lock, 0)) OR EXISTS (
         SELECT FROM idempotency_keys k WHERE k.account_id = of_account AND k.route = r.route AND k.key = r.key
            AND k.created_at >= r.at - make_interval(secs => r.key_kept_seconds)) THEN
      outcome := 'key';
      RETURN;
    END IF;
  END IF;

  SELECT e.id, e.user_id, e.email_address, e.first_name, e.last_name, e.bina, e.record_calls, e.auto_answer,
         a.domain, a.mode, a.balance_low_threshold_micros, p.transport, p.edge,
         coalesce(c.calls_per_second, r.calls_per_second) AS calls_per_second,
         coalesce(c.concurrent_calls, b.calls) AS concurrent_calls, b.limits_recording,
         coalesce(c.daily_spend_micros, r.daily_spend_micros) AS daily_spend_micros,
         coalesce(c.price_per_minute_micros, r.price_per_minute_micros) AS max_minute_price_micros,
         coalesce(c.countries, r.countries) AS countries, c.suspended_at IS NOT NULL AS is_suspended,
         a.awaits_approval_since IS NOT NULL AS awaits_approval,
         rate.deck_name, rate.prefix, rate.price_per_minute_micros, rate.minimum_seconds, rate.step_seconds,
         rate.free_seconds,
         r.callee IS NOT NULL AND EXISTS (
           SELECT FROM extensions o WHERE o.account_id = of_account AND o.ramal = r.callee) AS is_internal
    INTO t
    FROM account_info a
    JOIN extensions e ON e.account_id = a.id AND e.ramal = r.ramal
    LEFT JOIN extension_presence p ON p.extension_id = e.id AND p.expires_at > r.at
    LEFT JOIN account_caps c ON c.account_id = a.id
    CROSS JOIN LATERAL (
      -- hold_for_call compares a default above ten with the number of extensions.
      SELECT max(m.most) FILTER (WHERE m.resource = 'calls' AND (m.is_set OR m.most <= 10))::integer AS calls,
             bool_or(m.resource <> 'calls' AND m.most IS NOT NULL) AS limits_recording
        FROM effective_budgets m
       WHERE m.account_id = of_account AND m.resource IN ('calls', 'recorded_minutes', 'stored_megabytes')) b
    LEFT JOIN LATERAL (
      SELECT d.name AS deck_name, s.prefix, s.price_per_minute_micros, s.minimum_seconds, s.step_seconds, s.free_seconds
        FROM (SELECT id, name FROM rate_decks WHERE effective_from <= r.at ORDER BY effective_from DESC LIMIT 1) d
        JOIN rates s ON s.deck_id = d.id AND s.prefix = ANY (r.prefixes)
       ORDER BY length(s.prefix) DESC LIMIT 1) rate ON true
   WHERE a.id = of_account;
  is_own := coalesce(t.user_id = r.requested_by, false);
  outcome := CASE
    WHEN t.id IS NULL THEN 'extension'
    WHEN r.must_own AND NOT is_own THEN 'owner'
    WHEN t.is_internal THEN 'internal'
    WHEN r.country IS NULL THEN 'destination'
    WHEN t.awaits_approval THEN 'unapproved'
    WHEN t.is_suspended THEN 'suspended'
    WHEN r.country <> ALL (t.countries) THEN 'destination' END;
  IF outcome IS NOT NULL THEN RETURN; END IF;

  wanted_id := CASE WHEN r.must_present THEN r.caller ELSE coalesce(r.bina_digits, nullif(t.bina, '')) END;
  IF wanted_id IS NOT NULL THEN
    SELECT i.number INTO presented FROM caller_ids i
     WHERE i.account_id = of_account AND i.mode = t.mode AND i.number = wanted_id AND i.status = 'owned';
  END IF;
  bina := t.bina;
  outcome := CASE
    WHEN r.must_present AND presented IS NULL THEN 'caller'
    WHEN wanted_id IS NOT NULL AND presented IS NULL AND r.bina_digits IS NULL THEN 'bina'
    WHEN t.deck_name IS NULL THEN 'price'
    WHEN t.price_per_minute_micros > t.max_minute_price_micros THEN 'minute_price' END;
  IF outcome IS NOT NULL THEN RETURN; END IF;

  book := t.mode;
  calls_per_second := t.calls_per_second;
  funded_seconds := greatest(1, t.minimum_seconds, billable_seconds(
    greatest(r.ahead_seconds, t.free_seconds + 1), t.minimum_seconds, t.step_seconds, t.free_seconds));
  hold := ROW(r.id, of_account, t.mode, 'open', r.destination, t.deck_name, t.prefix, t.price_per_minute_micros,
    t.minimum_seconds, t.step_seconds, t.free_seconds, funded_seconds,
    call_price_micros(funded_seconds, t.price_per_minute_micros), 0, r.at,
    r.at + make_interval(secs => funded_seconds + r.grace_seconds), NULL, NULL, NULL, NULL);
  SELECT h.outcome, h.available, h.became_low INTO outcome, available_micros, became_low
    FROM hold_for_call(hold, r.at, r.transaction_id, t.balance_low_threshold_micros, t.daily_spend_micros, true,
      r.kind <> 'click' OR t.transport IS NOT NULL, true, t.calls_per_second, t.concurrent_calls, r.may_alert) h;
  IF outcome <> 'held' THEN RETURN; END IF;

  order_data := jsonb_build_object('ramal', r.ramal, 'domain', t.domain, 'destination', r.destination,
      'callerId', presented,
      'record', t.record_calls AND (NOT t.limits_recording OR may_record(of_account, r.at)),
      'autoAnswer', r.kind = 'click' AND (is_own OR t.auto_answer))
    || CASE WHEN r.kind = 'click' THEN jsonb_build_object('phone', jsonb_build_object('transport', t.transport, 'edge', t.edge))
            ELSE jsonb_build_object('leg', r.leg, 'sip', r.sip) END;
  PERFORM write_call(of_account, request || jsonb_build_object('call_type', 'outbound', 'book', book, 'order', order_data,
    'extension_id', t.id, 'user_id', t.user_id, 'email', t.email_address, 'first_name', t.first_name,
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
