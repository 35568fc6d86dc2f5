-- Row-level security of charges: the service role sees only rows of the account set in the transaction.
-- requires: platform/current_account
ALTER TABLE charges ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_account ON charges;
CREATE POLICY own_account ON charges TO disca_service USING (account_id = current_account());
