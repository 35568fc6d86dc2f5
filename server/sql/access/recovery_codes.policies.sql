-- Row-level security of recovery_codes: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE recovery_codes ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON recovery_codes;
CREATE POLICY own_account ON recovery_codes TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON recovery_codes;
CREATE POLICY all_accounts ON recovery_codes TO disca_operator USING (true);
