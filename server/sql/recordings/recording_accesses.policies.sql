-- Row-level security of recording_accesses: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE recording_accesses ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON recording_accesses;
CREATE POLICY own_account ON recording_accesses TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON recording_accesses;
CREATE POLICY all_accounts ON recording_accesses TO disca_operator USING (true);
