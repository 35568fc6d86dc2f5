-- The ledger: double-entry, append-only, in whole micro-reais. A transaction is one row whose five legs sum to zero,
-- so a transaction that does not balance cannot be written. Rows come only from ledger_post, and nobody changes or
-- removes one, the owner included.
--
--   available    what the customer may spend          (with held: the customer's balance)
--   held         what running calls have put aside
--   revenue      what calls and our fees have earned
--   gateway      what payment gateways owe us: goes down when a customer pays, up when money is given back
--   adjustments  what the operator gave or took
--
-- Test and live are books of their own: no statement moves money between them.
CREATE TABLE ledger_balances (
  account_id bigint NOT NULL REFERENCES accounts,
  book text NOT NULL CHECK (book IN ('test', 'live')),
  available_micros bigint NOT NULL DEFAULT 0,
  held_micros bigint NOT NULL DEFAULT 0 CHECK (held_micros >= 0),
  -- The number of the book's newest transaction.
  last_number bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, book)
);

CREATE TABLE ledger_transactions (
  id uuid PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts,
  book text NOT NULL CHECK (book IN ('test', 'live')),
  -- 1, 2, 3 … within the book: a missing transaction would leave a gap.
  number bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('charge', 'refund', 'chargeback', 'adjustment', 'hold', 'release', 'call')),
  -- The call or charge the transaction belongs to.
  subject_id text NOT NULL,
  idempotency_key text NOT NULL,
  input_hash bytea NOT NULL,
  available_micros bigint NOT NULL,
  held_micros bigint NOT NULL,
  revenue_micros bigint NOT NULL,
  gateway_micros bigint NOT NULL,
  adjustments_micros bigint NOT NULL,
  balance_after_micros bigint NOT NULL,
  description text NOT NULL,
  at timestamptz(3) NOT NULL,
  CHECK (available_micros + held_micros + revenue_micros + gateway_micros + adjustments_micros = 0),
  -- Which legs a kind has, and in which direction its money goes.
  CHECK (CASE kind
    WHEN 'hold' THEN held_micros > 0 AND available_micros = -held_micros
    WHEN 'release' THEN held_micros < 0 AND available_micros = -held_micros
    WHEN 'call' THEN held_micros < 0 AND available_micros >= 0 AND revenue_micros > 0
    WHEN 'charge' THEN held_micros = 0 AND available_micros >= 0 AND revenue_micros >= 0 AND gateway_micros <= 0
    WHEN 'adjustment' THEN held_micros = 0 AND available_micros = -adjustments_micros
    ELSE held_micros = 0 AND available_micros <= 0 AND revenue_micros <= 0 AND gateway_micros >= 0
  END),
  CHECK (kind IN ('charge', 'refund', 'chargeback') OR gateway_micros = 0),
  CHECK (kind = 'adjustment' OR adjustments_micros = 0),
  UNIQUE (account_id, idempotency_key),
  UNIQUE (account_id, book, number)
);
-- Holds and releases change no balance, so the statement does not show them. It goes by number, because of two that
-- happen at the same moment only the number tells which balance came first.
CREATE INDEX ledger_statement ON ledger_transactions (account_id, book, number DESC)
  WHERE kind NOT IN ('hold', 'release');
CREATE INDEX ledger_subject ON ledger_transactions (account_id, subject_id);

-- The same, a row for each leg.
CREATE VIEW ledger_entries WITH (security_invoker = true) AS
  SELECT t.id AS transaction_id, t.account_id, t.book, t.kind, t.subject_id, t.at, leg.ledger, leg.amount_micros
    FROM ledger_transactions t
   CROSS JOIN LATERAL (VALUES
     ('available', t.available_micros), ('held', t.held_micros), ('revenue', t.revenue_micros),
     ('gateway', t.gateway_micros), ('adjustments', t.adjustments_micros)) AS leg (ledger, amount_micros)
   WHERE leg.amount_micros <> 0;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON ledger_transactions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER append_only_whole BEFORE TRUNCATE ON ledger_transactions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- Also for a session that calls itself a replica, which would skip ordinary triggers.
ALTER TABLE ledger_transactions ENABLE ALWAYS TRIGGER append_only;
ALTER TABLE ledger_transactions ENABLE ALWAYS TRIGGER append_only_whole;

-- The one way money moves. Locks the account's balance and nothing else; the same key with the same input does
-- nothing the second time, and with another input is refused. Only refunds and chargebacks take the available credit
-- below zero.
CREATE FUNCTION ledger_post(
  p_id uuid, p_book text, p_kind text, p_subject_id text, p_key text, p_input_hash bytea,
  p_available bigint, p_held bigint, p_revenue bigint, p_gateway bigint, p_adjustments bigint,
  p_description text, p_at timestamptz
) RETURNS TABLE (outcome text, available_micros bigint, held_micros bigint, became_low boolean)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  account bigint := current_account();
  before ledger_balances;
  known bytea;
  threshold bigint;
  available_after bigint;
BEGIN
  IF account IS NULL THEN RAISE EXCEPTION 'ledger_post needs an account'; END IF;
  LOOP
    SELECT * INTO before FROM ledger_balances b WHERE b.account_id = account AND b.book = p_book FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO ledger_balances (account_id, book) VALUES (account, p_book) ON CONFLICT DO NOTHING;
  END LOOP;

  SELECT t.input_hash INTO known FROM ledger_transactions t WHERE t.account_id = account AND t.idempotency_key = p_key;
  IF FOUND THEN
    RETURN QUERY SELECT CASE WHEN known = p_input_hash THEN 'replayed' ELSE 'conflict' END,
      before.available_micros, before.held_micros, false;
    RETURN;
  END IF;
  available_after := before.available_micros + p_available;
  IF p_kind NOT IN ('refund', 'chargeback') AND p_available < 0 AND available_after < 0 THEN
    RETURN QUERY SELECT 'insufficient', before.available_micros, before.held_micros, false;
    RETURN;
  END IF;

  SELECT a.balance_low_threshold_micros INTO threshold FROM accounts a WHERE a.id = account;
  UPDATE ledger_balances b
     SET available_micros = available_after, held_micros = before.held_micros + p_held,
         last_number = before.last_number + 1
   WHERE b.account_id = account AND b.book = p_book;
  INSERT INTO ledger_transactions VALUES (
    p_id, account, p_book, before.last_number + 1, p_kind, p_subject_id, p_key, p_input_hash,
    p_available, p_held, p_revenue, p_gateway, p_adjustments,
    available_after + before.held_micros + p_held, p_description, p_at);
  -- Credit becomes low by falling below the threshold: an account that never had credit is not warned that it has none.
  RETURN QUERY SELECT 'posted', available_after, before.held_micros + p_held,
    before.available_micros >= threshold AND available_after < threshold;
END
$$;

ALTER TABLE ledger_balances ENABLE ROW LEVEL SECURITY;
ALTER TABLE ledger_transactions ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON ledger_balances TO disca_service USING (account_id = current_account());
CREATE POLICY own_account ON ledger_transactions TO disca_service USING (account_id = current_account());
GRANT SELECT ON ledger_balances, ledger_transactions, ledger_entries TO disca_service;
REVOKE ALL ON FUNCTION ledger_post FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_post TO disca_service;

-- Definer functions look among temporary tables last, or whoever may make one could put it in the place of ours.
ALTER FUNCTION find_token SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION find_login SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION find_user_account SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION domain_exists SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION touch_tokens SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION sweep_expired_tokens SET search_path = pg_catalog, public, pg_temp;

-- An account with a ledger stays, also when nobody confirms it: the ledger cannot be removed.
CREATE OR REPLACE FUNCTION sweep_unconfirmed_accounts(created_before timestamptz, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE removed integer;
BEGIN
  DELETE FROM accounts WHERE id IN (
    SELECT a.id FROM accounts a
     WHERE a.status = 'pending' AND a.created_at < created_before
       AND NOT EXISTS (SELECT FROM ledger_balances b WHERE b.account_id = a.id)
     LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;
