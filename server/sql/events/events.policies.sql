-- Row-level security of events: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE events ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON events;
CREATE POLICY own_account ON events TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON events;
CREATE POLICY all_accounts ON events TO disca_operator USING (true);
