-- Row-level security of extensions: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE extensions ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON extensions;
CREATE POLICY own_account ON extensions TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON extensions;
CREATE POLICY all_accounts ON extensions TO disca_operator USING (true);
