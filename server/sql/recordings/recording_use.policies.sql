-- Row-level security of recording_use: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE recording_use ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON recording_use;
CREATE POLICY own_account ON recording_use TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON recording_use;
CREATE POLICY all_accounts ON recording_use TO disca_operator USING (true);
