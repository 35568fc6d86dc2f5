-- Row-level security of event_outbox: the service role sees only rows of the account set in the transaction,
-- operator commands those of all accounts.
-- requires: platform/current_account
ALTER TABLE event_outbox ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON event_outbox;
CREATE POLICY own_account ON event_outbox TO disca_service USING (account_id = current_account());
DROP POLICY IF EXISTS all_accounts ON event_outbox;
CREATE POLICY all_accounts ON event_outbox TO disca_operator USING (true);
