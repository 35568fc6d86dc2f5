-- Row-level security of former_emails: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE former_emails ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON former_emails;
CREATE POLICY own_account ON former_emails TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON former_emails;
CREATE POLICY all_accounts ON former_emails TO disca_operator USING (true);
