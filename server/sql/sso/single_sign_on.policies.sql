-- Row-level security of single_sign_on: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE single_sign_on ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON single_sign_on;
CREATE POLICY own_account ON single_sign_on TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON single_sign_on;
CREATE POLICY all_accounts ON single_sign_on TO disca_operator USING (true);
