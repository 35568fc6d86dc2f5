-- Row-level security of second_factors: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE second_factors ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON second_factors;
CREATE POLICY own_account ON second_factors TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON second_factors;
CREATE POLICY all_accounts ON second_factors TO disca_operator USING (true);
