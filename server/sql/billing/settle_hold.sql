-- Charges a call for its use and releases the rest of its hold: updates hold and balance and writes the ledger row. A
-- call is never billed for more seconds than were funded. A hold that is closed already moves no money, and its earlier
-- charge is returned. `ended_calls` is 1 if a running call ends that took a slot, else 0.
-- requires: billing/billable_seconds, billing/call_price_micros, billing/spent_at, platform/current_account
CREATE OR REPLACE FUNCTION settle_hold(
  of_call uuid, new_state text, seconds integer, at timestamptz, transaction_id uuid, ended_calls integer,
  OUT used_seconds integer, OUT billed_seconds integer, OUT price_micros bigint, OUT minute_price_micros bigint
)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  account bigint := current_account();
  hold call_holds;
  released bigint := 0;
  charged bigint := 0;
  b ledger_balances;
BEGIN
  SELECT * INTO hold FROM call_holds h WHERE h.account_id = account AND h.call_id = of_call FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'No hold for call %.', of_call; END IF;
  IF hold.state = 'open' THEN
    hold.used_seconds := seconds;
    hold.billed_seconds := least(hold.funded_seconds,
      billable_seconds(seconds, hold.minimum_seconds, hold.step_seconds, hold.free_seconds));
    hold.price_micros := call_price_micros(hold.billed_seconds, hold.price_per_minute_micros);
    released := hold.held_micros;
    charged := hold.price_micros;
    UPDATE call_holds h
       SET state = new_state, held_micros = 0, settled_at = at, used_seconds = hold.used_seconds,
           billed_seconds = hold.billed_seconds, price_micros = hold.price_micros
     WHERE h.account_id = account AND h.call_id = of_call;
  END IF;
  IF released > 0 OR ended_calls > 0 THEN
    UPDATE ledger_balances l
       SET available_micros = l.available_micros + released - charged, held_micros = l.held_micros - released,
           last_number = l.last_number + CASE WHEN released > 0 THEN 1 ELSE 0 END,
           running_calls = greatest(l.running_calls - ended_calls, 0),
           spent_micros = CASE WHEN charged > 0 THEN spent_at(at, l.spent_on, l.spent_micros) + charged ELSE l.spent_micros END,
           spent_on = CASE WHEN charged > 0 THEN greatest(l.spent_on, (at AT TIME ZONE 'America/Sao_Paulo')::date) ELSE l.spent_on END
     WHERE l.account_id = account AND l.book = hold.book
    RETURNING l.* INTO b;
  END IF;
  IF released > 0 THEN
    INSERT INTO ledger_transactions VALUES (
      transaction_id, account, hold.book, b.last_number, CASE WHEN charged > 0 THEN 'call' ELSE 'release' END,
      of_call::text, 'call:' || of_call || ':end',
      sha256(convert_to(format('["%s","%s","%s",%s,%s,%s,0,0]', hold.book, CASE WHEN charged > 0 THEN 'call' ELSE 'release' END,
        of_call, released - charged, -released, charged), 'UTF8')),
      released - charged, -released, charged, 0, 0, b.available_micros + b.held_micros,
      CASE WHEN charged > 0 THEN 'Call of ' || hold.billed_seconds || ' s' ELSE 'Released' END, at);
  END IF;
  used_seconds := hold.used_seconds;
  billed_seconds := hold.billed_seconds;
  price_micros := hold.price_micros;
  minute_price_micros := hold.price_per_minute_micros;
END
$$;
REVOKE ALL ON FUNCTION settle_hold FROM PUBLIC;
GRANT EXECUTE ON FUNCTION settle_hold TO disca_service, disca_operator;
