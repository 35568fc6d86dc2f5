-- Row-level security of unsummed_calls: the service sees only rows of the account it speaks for.
-- requires: platform/current_account
ALTER TABLE unsummed_calls ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON unsummed_calls;
CREATE POLICY own_account ON unsummed_calls TO disca_service USING (account_id = current_account());
