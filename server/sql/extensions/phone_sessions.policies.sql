-- Row-level security of phone_sessions: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE phone_sessions ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON phone_sessions;
CREATE POLICY own_account ON phone_sessions TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON phone_sessions;
CREATE POLICY all_accounts ON phone_sessions TO disca_operator USING (true);
