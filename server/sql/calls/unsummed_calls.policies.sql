-- Row-level security of unsummed_calls: the service role sees only rows of the account set in the transaction.
-- requires: platform/current_account
ALTER TABLE unsummed_calls ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON unsummed_calls;
CREATE POLICY own_account ON unsummed_calls TO disca_service USING (account_id = current_account());
