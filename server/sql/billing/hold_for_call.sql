-- Holds the credit of a new call and reserves its slot with one conditional update of the balance, and writes the ledger
-- row and the hold. Returns "held" or what refuses the call (call_refusal); a refused call changes nothing.
--   max_day_spend    null for calls that need no credit
--   takes_slot       false for a hold without a running call
--   max_per_second   null for inbound calls of the previous release, which take no slot
--   max_concurrent   null for the default: the number of extensions, at least 10, but at most the default budget; both are
--                    read only above 10
--   may_alert        false if the caller cannot publish the low-balance alert in this transaction
-- A call whose time is slightly behind the newest second (clock skew) counts in that second.
-- requires: billing/call_refusal, billing/spent_at, platform/current_account
CREATE OR REPLACE FUNCTION hold_for_call(
  hold call_holds, at timestamptz, transaction_id uuid, threshold bigint, max_day_spend bigint, needs_credit boolean,
  is_registered boolean, takes_slot boolean, max_per_second integer, max_concurrent integer, may_alert boolean,
  OUT outcome text, OUT available bigint, OUT became_low boolean
)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  account bigint := current_account();
  amount bigint := hold.held_micros;
  this_second timestamptz := date_trunc('second', at);
  last_second timestamptz := this_second + interval '5 s';
  per_second integer := CASE WHEN takes_slot THEN max_per_second END;
  concurrent integer := CASE WHEN takes_slot THEN coalesce(max_concurrent, 10) END;
  alert_below bigint := CASE WHEN may_alert THEN NULL ELSE threshold END;
  has_counted boolean := max_concurrent IS NOT NULL;
  b ledger_balances;
BEGIN
  IF account IS NULL THEN RAISE EXCEPTION 'hold_for_call needs an account'; END IF;
  hold.account_id := account;
  LOOP
    UPDATE ledger_balances l
       SET available_micros = l.available_micros - amount, held_micros = l.held_micros + amount,
           last_number = l.last_number + CASE WHEN amount > 0 THEN 1 ELSE 0 END,
           running_calls = l.running_calls + CASE WHEN per_second IS NULL THEN 0 ELSE 1 END,
           slot_second = CASE WHEN NOT takes_slot OR l.slot_second BETWEEN this_second AND last_second
                              THEN l.slot_second ELSE this_second END,
           slots_taken = CASE WHEN NOT takes_slot OR l.slot_second BETWEEN this_second AND last_second
                              THEN l.slots_taken ELSE 0 END + CASE WHEN per_second IS NULL THEN 0 ELSE 1 END
     WHERE l.account_id = account AND l.book = hold.book
       AND call_refusal(amount, l.held_micros + spent_at(at, l.spent_on, l.spent_micros), max_day_spend,
             needs_credit, l.available_micros, is_registered,
             CASE WHEN l.slot_second BETWEEN this_second AND last_second THEN l.slots_taken ELSE 0 END, per_second,
             l.running_calls + coalesce((SELECT o.running_calls FROM ledger_balances o
                                          WHERE o.account_id = account AND o.book <> hold.book), 0), concurrent,
             alert_below) IS NULL
    RETURNING l.* INTO b;
    EXIT WHEN FOUND;
    -- Find the reason with the balance locked. A book without transactions has no balance yet.
    SELECT * INTO b FROM ledger_balances l WHERE l.account_id = account AND l.book = hold.book FOR UPDATE;
    available := coalesce(b.available_micros, 0);
    became_low := false;
    outcome := call_refusal(amount, coalesce(b.held_micros + spent_at(at, b.spent_on, b.spent_micros), 0),
      max_day_spend, needs_credit, available, is_registered,
      CASE WHEN b.slot_second BETWEEN this_second AND last_second THEN b.slots_taken ELSE 0 END, per_second,
      (SELECT coalesce(sum(o.running_calls), 0)::integer FROM ledger_balances o WHERE o.account_id = account), concurrent,
      alert_below);
    IF outcome = 'concurrency' AND NOT has_counted THEN
      concurrent := least(
        greatest(concurrent, (SELECT count(*) FROM extensions e WHERE e.account_id = account)),
        (SELECT m.most FROM effective_budgets m WHERE m.account_id = account AND m.resource = 'calls'));
      has_counted := true;
    ELSIF outcome IS NOT NULL THEN
      RETURN;
    ELSE
      INSERT INTO ledger_balances (account_id, book) VALUES (account, hold.book) ON CONFLICT DO NOTHING;
    END IF;
  END LOOP;

  IF amount > 0 THEN
    INSERT INTO ledger_transactions VALUES (
      transaction_id, account, hold.book, b.last_number, 'hold', hold.call_id::text, 'call:' || hold.call_id || ':hold:0',
      sha256(convert_to(format('["%s","hold","%s",-%s,%s,0,0,0]', hold.book, hold.call_id, amount, amount), 'UTF8')),
      -amount, amount, 0, 0, 0, b.available_micros + b.held_micros, 'Held for ' || hold.funded_seconds || ' s', at);
  END IF;
  INSERT INTO call_holds VALUES (hold.*);
  outcome := 'held';
  available := b.available_micros;
  became_low := available + amount >= threshold AND available < threshold;
END
$$;
REVOKE ALL ON FUNCTION hold_for_call FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hold_for_call TO disca_service;
