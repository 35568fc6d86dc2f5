-- The former form of find_caller, without the handling of requests, which release 0.1 calls.
-- requires: retired/find_caller
CREATE OR REPLACE FUNCTION find_token(token_hash bytea, at timestamptz)
  RETURNS TABLE (
    account_id bigint, user_id bigint, uuid uuid, name text, email text, phone text, role text, locale text,
    email_verified boolean, created_at timestamptz, updated_at timestamptz, last_login_at timestamptz,
    last_used_at timestamptz
  )
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT c.account_id, c.user_id, c.uuid, c.name, c.email, c.phone, c.role, c.locale, c.email_verified, c.created_at,
           c.updated_at, c.last_login_at, c.last_used_at
      FROM find_caller(token_hash, at) c;
END
$$;
REVOKE ALL ON FUNCTION find_token FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_token TO disca_service;
