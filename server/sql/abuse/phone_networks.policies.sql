-- Row-level security of phone_networks: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE phone_networks ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON phone_networks;
CREATE POLICY own_account ON phone_networks TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON phone_networks;
CREATE POLICY all_accounts ON phone_networks TO disca_operator USING (true);
