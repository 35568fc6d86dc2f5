-- Row-level security of known_addresses: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE known_addresses ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON known_addresses;
CREATE POLICY own_account ON known_addresses TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON known_addresses;
CREATE POLICY all_accounts ON known_addresses TO disca_operator USING (true);
