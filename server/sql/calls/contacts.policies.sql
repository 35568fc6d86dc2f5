-- Row-level security of contacts: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE contacts ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON contacts;
CREATE POLICY own_account ON contacts TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON contacts;
CREATE POLICY all_accounts ON contacts TO disca_operator USING (true);
