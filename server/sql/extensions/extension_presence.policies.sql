-- Row-level security of extension_presence: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE extension_presence ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON extension_presence;
CREATE POLICY own_account ON extension_presence TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON extension_presence;
CREATE POLICY all_accounts ON extension_presence TO disca_operator USING (true);
