-- Row-level security of invitations: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE invitations ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON invitations;
CREATE POLICY own_account ON invitations TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON invitations;
CREATE POLICY all_accounts ON invitations TO disca_operator USING (true);
