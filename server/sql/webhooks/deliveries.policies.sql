-- Row-level security of deliveries: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE deliveries ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON deliveries;
CREATE POLICY own_account ON deliveries TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON deliveries;
CREATE POLICY all_accounts ON deliveries TO disca_operator USING (true);
