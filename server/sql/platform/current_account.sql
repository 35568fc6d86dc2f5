-- Returns the account of this transaction, set in app.account_id, or null. Row-level security compares every row with
-- it, so no row is visible without an account.
CREATE OR REPLACE FUNCTION current_account() RETURNS bigint
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.account_id', true), '')::bigint;
