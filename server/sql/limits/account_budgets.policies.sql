-- Row-level security of account_budgets: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE account_budgets ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON account_budgets;
CREATE POLICY own_account ON account_budgets TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON account_budgets;
CREATE POLICY all_accounts ON account_budgets TO disca_operator USING (true);
