-- Row-level security of abuse_signals: the service role sees only rows of the account set in the transaction.
-- requires: platform/current_account
ALTER TABLE abuse_signals ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON abuse_signals;
CREATE POLICY own_account ON abuse_signals TO disca_service USING (account_id = current_account());
