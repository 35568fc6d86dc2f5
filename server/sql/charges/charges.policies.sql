-- Row-level security of charges: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE charges ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON charges;
CREATE POLICY own_account ON charges TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON charges;
CREATE POLICY all_accounts ON charges TO disca_operator USING (true);
