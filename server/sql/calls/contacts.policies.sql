-- Row-level security of contacts: the service role sees only rows of the account set in the transaction.
-- requires: platform/current_account
ALTER TABLE contacts ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON contacts;
CREATE POLICY own_account ON contacts TO disca_service USING (account_id = current_account());
