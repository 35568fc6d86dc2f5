-- Row-level security of accounts: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE accounts ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON accounts;
CREATE POLICY own_account ON accounts TO disca_service USING (id = current_account());
DROP POLICY IF EXISTS all_accounts ON accounts;
CREATE POLICY all_accounts ON accounts TO disca_operator USING (true);
