-- Row-level security of users: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE users ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON users;
CREATE POLICY own_account ON users TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON users;
CREATE POLICY all_accounts ON users TO disca_operator USING (true);
