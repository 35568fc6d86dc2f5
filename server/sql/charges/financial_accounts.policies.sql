-- Row-level security of financial_accounts: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE financial_accounts ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON financial_accounts;
CREATE POLICY own_account ON financial_accounts TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON financial_accounts;
CREATE POLICY all_accounts ON financial_accounts TO disca_operator USING (true);
