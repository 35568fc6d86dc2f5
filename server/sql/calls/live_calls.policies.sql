-- Row-level security of live_calls: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE live_calls ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON live_calls;
CREATE POLICY own_account ON live_calls TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON live_calls;
CREATE POLICY all_accounts ON live_calls TO disca_operator USING (true);
