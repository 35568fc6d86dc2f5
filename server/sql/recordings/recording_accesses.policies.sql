-- Row-level security of recording_accesses: the service role sees only rows of the account set in the transaction.
-- requires: platform/current_account
ALTER TABLE recording_accesses ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON recording_accesses;
CREATE POLICY own_account ON recording_accesses TO disca_service USING (account_id = current_account());
