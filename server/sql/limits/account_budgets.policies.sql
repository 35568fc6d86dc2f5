-- Row-level security of account_budgets: the service role sees only rows of the account set in the transaction.
-- requires: platform/current_account
ALTER TABLE account_budgets ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON account_budgets;
CREATE POLICY own_account ON account_budgets TO disca_service USING (account_id = current_account());
