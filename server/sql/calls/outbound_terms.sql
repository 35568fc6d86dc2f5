-- Decides whether an extension may call a number outside, in the documented order up to the hold, and returns what the
-- call needs: its hold, the caller ID to present, the limits of the account, and the extension. Null as outcome means that
-- nothing refuses it so far. Used for new calls and for further legs of running ones. Outcomes:
--   "extension", "owner", "unapproved", "suspended", "destination", "caller", "price", "minute_price"  refusals
--   "internal"  the called number, if given as `callee`, is an extension of the account
--   "bina"      the caller has to normalise the extension's `bina` and to repeat the request
-- requires: billing/billable_seconds, billing/call_price_micros
CREATE OR REPLACE FUNCTION outbound_terms(
  of_account bigint, of_id uuid, of_ramal text, request jsonb,
  OUT outcome text, OUT hold call_holds, OUT presented text, OUT bina text, OUT domain text, OUT threshold_micros bigint,
  OUT calls_per_second integer, OUT concurrent_calls integer, OUT daily_spend_micros bigint, OUT limits_recording boolean,
  OUT extension_id bigint, OUT user_id bigint, OUT email_address text, OUT first_name text, OUT last_name text,
  OUT record_calls boolean, OUT auto_answer boolean, OUT transport text, OUT edge integer, OUT is_own boolean
)
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  r record;
  t record;
  wanted_id text;
  funded integer;
BEGIN
  SELECT * INTO r FROM jsonb_to_record(request) AS r (
    at timestamptz, callee text, requested_by bigint, must_own boolean, destination text, country text, prefixes text[],
    caller text, must_present boolean, bina_digits text, ahead_seconds integer, grace_seconds integer,
    calls_per_second integer, daily_spend_micros bigint, price_per_minute_micros bigint, countries text[]);
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
    JOIN extensions e ON e.account_id = a.id AND e.ramal = of_ramal
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

  funded := greatest(1, t.minimum_seconds, billable_seconds(
    greatest(r.ahead_seconds, t.free_seconds + 1), t.minimum_seconds, t.step_seconds, t.free_seconds));
  hold := ROW(of_id, of_account, t.mode, 'open', r.destination, t.deck_name, t.prefix, t.price_per_minute_micros,
    t.minimum_seconds, t.step_seconds, t.free_seconds, funded, call_price_micros(funded, t.price_per_minute_micros), 0,
    r.at, r.at + make_interval(secs => funded + r.grace_seconds), NULL, NULL, NULL, NULL);
  domain := t.domain;
  threshold_micros := t.balance_low_threshold_micros;
  calls_per_second := t.calls_per_second;
  concurrent_calls := t.concurrent_calls;
  daily_spend_micros := t.daily_spend_micros;
  limits_recording := t.limits_recording;
  extension_id := t.id;
  user_id := t.user_id;
  email_address := t.email_address;
  first_name := t.first_name;
  last_name := t.last_name;
  record_calls := t.record_calls;
  auto_answer := t.auto_answer;
  transport := t.transport;
  edge := t.edge;
END
$$;
REVOKE ALL ON FUNCTION outbound_terms FROM PUBLIC;
GRANT EXECUTE ON FUNCTION outbound_terms TO disca_service;
