-- Row-level security of sso_identities: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE sso_identities ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON sso_identities;
CREATE POLICY own_account ON sso_identities TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON sso_identities;
CREATE POLICY all_accounts ON sso_identities TO disca_operator USING (true);
