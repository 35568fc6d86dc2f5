-- Row-level security of ledger_transactions: the service sees only rows of the account it speaks for.
-- requires: platform/current_account
ALTER TABLE ledger_transactions ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON ledger_transactions;
CREATE POLICY own_account ON ledger_transactions TO disca_service USING (account_id = current_account());
