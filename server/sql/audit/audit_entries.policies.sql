-- Row-level security of audit_entries: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE audit_entries ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON audit_entries;
CREATE POLICY own_account ON audit_entries TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON audit_entries;
CREATE POLICY all_accounts ON audit_entries TO disca_operator USING (true);
