-- Row-level security of call_pairs: the service sees only rows of the account it speaks for.
-- requires: platform/current_account
ALTER TABLE call_pairs ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON call_pairs;
CREATE POLICY own_account ON call_pairs TO disca_service USING (account_id = current_account());
