-- Row-level security of request_counts: the service role sees only rows of the account set in the transaction.
-- requires: platform/current_account
ALTER TABLE request_counts ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON request_counts;
CREATE POLICY own_account ON request_counts TO disca_service USING (account_id = current_account());
