-- Row-level security of budget_days: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE budget_days ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON budget_days;
CREATE POLICY own_account ON budget_days TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON budget_days;
CREATE POLICY all_accounts ON budget_days TO disca_operator USING (true);
