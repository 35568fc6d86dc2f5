-- Posts one ledger transaction; every movement of money uses this function. Locks only the balance of the account's
-- book. A repeated key with the same input is reported as replayed and moves no money; with different input it is a
-- conflict. Only refunds and chargebacks may take the available credit below zero.
-- requires: billing/spent_at, platform/current_account
CREATE OR REPLACE FUNCTION ledger_post(
  p_id uuid, p_book text, p_kind text, p_subject_id text, p_key text, p_input_hash bytea,
  p_available bigint, p_held bigint, p_revenue bigint, p_gateway bigint, p_adjustments bigint,
  p_description text, p_at timestamptz
) RETURNS TABLE (
    outcome text, available_micros bigint, held_micros bigint, became_low boolean, spent_today_micros bigint
  )
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  account bigint := current_account();
  before ledger_balances;
  known bytea;
  threshold bigint;
  available_after bigint;
  spent bigint;
BEGIN
  IF account IS NULL THEN RAISE EXCEPTION 'ledger_post needs an account'; END IF;
  -- Lock the balance; the first posting of a book creates it.
  LOOP
    SELECT * INTO before FROM ledger_balances b WHERE b.account_id = account AND b.book = p_book FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO ledger_balances (account_id, book) VALUES (account, p_book) ON CONFLICT DO NOTHING;
  END LOOP;
  spent := spent_at(p_at, before.spent_on, before.spent_micros);

  -- A repeated key moves no money.
  SELECT t.input_hash INTO known FROM ledger_transactions t WHERE t.account_id = account AND t.idempotency_key = p_key;
  IF FOUND THEN
    RETURN QUERY SELECT CASE WHEN known = p_input_hash THEN 'replayed' ELSE 'conflict' END,
      before.available_micros, before.held_micros, false, spent;
    RETURN;
  END IF;
  available_after := before.available_micros + p_available;
  IF p_kind NOT IN ('refund', 'chargeback') AND p_available < 0 AND available_after < 0 THEN
    RETURN QUERY SELECT 'insufficient', before.available_micros, before.held_micros, false, spent;
    RETURN;
  END IF;

  IF p_kind = 'call' THEN
    spent := spent + p_revenue;
    before.spent_on := greatest(before.spent_on, (p_at AT TIME ZONE 'America/Sao_Paulo')::date);
    before.spent_micros := spent;
  END IF;
  -- Post: balance and transaction change together.
  SELECT a.balance_low_threshold_micros INTO threshold FROM account_info a WHERE a.id = account;
  UPDATE ledger_balances b
     SET available_micros = available_after, held_micros = before.held_micros + p_held,
         last_number = before.last_number + 1, spent_on = before.spent_on, spent_micros = before.spent_micros
   WHERE b.account_id = account AND b.book = p_book;
  INSERT INTO ledger_transactions VALUES (
    p_id, account, p_book, before.last_number + 1, p_kind, p_subject_id, p_key, p_input_hash,
    p_available, p_held, p_revenue, p_gateway, p_adjustments,
    available_after + before.held_micros + p_held, p_description, p_at);
  -- Credit becomes low when it falls below the threshold. An account that never had credit gets no alert.
  RETURN QUERY SELECT 'posted', available_after, before.held_micros + p_held,
    before.available_micros >= threshold AND available_after < threshold, spent;
END
$$;
REVOKE ALL ON FUNCTION ledger_post FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_post TO disca_service, disca_operator;
