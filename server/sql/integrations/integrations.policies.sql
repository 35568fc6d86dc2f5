-- Row-level security of integrations: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE integrations ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON integrations;
CREATE POLICY own_account ON integrations TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON integrations;
CREATE POLICY all_accounts ON integrations TO disca_operator USING (true);
