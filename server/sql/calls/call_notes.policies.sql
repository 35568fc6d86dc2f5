-- Row-level security of call_notes: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE call_notes ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON call_notes;
CREATE POLICY own_account ON call_notes TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON call_notes;
CREATE POLICY all_accounts ON call_notes TO disca_operator USING (true);
