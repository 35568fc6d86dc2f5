-- Row-level security of events: the service role sees only rows of the account set in the transaction.
-- requires: platform/current_account
ALTER TABLE events ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON events;
CREATE POLICY own_account ON events TO disca_service USING (account_id = current_account());
