-- Row-level security of ledger_balances: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE ledger_balances ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON ledger_balances;
CREATE POLICY own_account ON ledger_balances TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON ledger_balances;
CREATE POLICY all_accounts ON ledger_balances TO disca_operator USING (true);
