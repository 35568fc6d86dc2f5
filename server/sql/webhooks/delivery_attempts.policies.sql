-- Row-level security of delivery_attempts: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE delivery_attempts ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON delivery_attempts;
CREATE POLICY own_account ON delivery_attempts TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON delivery_attempts;
CREATE POLICY all_accounts ON delivery_attempts TO disca_operator USING (true);
