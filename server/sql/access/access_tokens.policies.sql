-- Row-level security of access_tokens: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE access_tokens ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON access_tokens;
CREATE POLICY own_account ON access_tokens TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON access_tokens;
CREATE POLICY all_accounts ON access_tokens TO disca_operator USING (true);
