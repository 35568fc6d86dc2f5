-- Row-level security of requests: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE requests ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON requests;
CREATE POLICY own_account ON requests TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON requests;
CREATE POLICY all_accounts ON requests TO disca_operator USING (true);
