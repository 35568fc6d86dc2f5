-- Row-level security of known_addresses: the service role sees only rows of the account set in the transaction.
-- requires: platform/current_account
ALTER TABLE known_addresses ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON known_addresses;
CREATE POLICY own_account ON known_addresses TO disca_service USING (account_id = current_account());
