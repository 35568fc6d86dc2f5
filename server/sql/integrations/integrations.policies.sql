-- Row-level security of integrations: the service role sees only rows of the account set in the transaction.
-- requires: platform/current_account
ALTER TABLE integrations ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON integrations;
CREATE POLICY own_account ON integrations TO disca_service USING (account_id = current_account());
