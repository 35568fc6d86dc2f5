-- Row-level security of live_legs: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE live_legs ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON live_legs;
CREATE POLICY own_account ON live_legs TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON live_legs;
CREATE POLICY all_accounts ON live_legs TO disca_operator USING (true);
