-- Row-level security of call_pairs: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE call_pairs ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON call_pairs;
CREATE POLICY own_account ON call_pairs TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON call_pairs;
CREATE POLICY all_accounts ON call_pairs TO disca_operator USING (true);
