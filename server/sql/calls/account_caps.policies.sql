-- Row-level security of account_caps: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE account_caps ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON account_caps;
CREATE POLICY own_account ON account_caps TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON account_caps;
CREATE POLICY all_accounts ON account_caps TO disca_operator USING (true);
