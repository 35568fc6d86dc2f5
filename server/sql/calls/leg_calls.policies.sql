-- Row-level security of leg_calls: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE leg_calls ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON leg_calls;
CREATE POLICY own_account ON leg_calls TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON leg_calls;
CREATE POLICY all_accounts ON leg_calls TO disca_operator USING (true);
