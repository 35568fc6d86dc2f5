-- Row-level security of caller_id_calls: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE caller_id_calls ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON caller_id_calls;
CREATE POLICY own_account ON caller_id_calls TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON caller_id_calls;
CREATE POLICY all_accounts ON caller_id_calls TO disca_operator USING (true);
