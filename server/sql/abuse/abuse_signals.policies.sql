-- Row-level security of abuse_signals: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE abuse_signals ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON abuse_signals;
CREATE POLICY own_account ON abuse_signals TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON abuse_signals;
CREATE POLICY all_accounts ON abuse_signals TO disca_operator USING (true);
