-- Row-level security of recordings: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE recordings ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON recordings;
CREATE POLICY own_account ON recordings TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON recordings;
CREATE POLICY all_accounts ON recordings TO disca_operator USING (true);
