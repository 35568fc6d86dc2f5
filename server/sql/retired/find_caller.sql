-- The former form of caller_of_token, which release 0.9 calls. That release does not know scopes, allowed addresses and
-- service tokens, so it does not find tokens that have them. It does not know permissions either, and ignores them.
CREATE OR REPLACE FUNCTION find_caller(token_hash bytea, at timestamptz)
  RETURNS TABLE (
    account_id bigint, user_id bigint, uuid uuid, name text, email text, phone text, role text, locale text,
    email_verified boolean, created_at timestamptz, updated_at timestamptz, last_login_at timestamptz,
    last_used_at timestamptz, request_handling text
  )
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT u.account_id, u.id, u.uuid, u.name, u.email, u.phone, u.role, u.locale,
           u.email_verified, u.created_at::timestamptz, u.updated_at::timestamptz, u.last_login_at::timestamptz,
           t.last_used_at::timestamptz, a.request_handling
      FROM access_tokens t
      JOIN users u ON u.id = t.user_id
      JOIN account_info a ON a.id = t.account_id
     WHERE t.hash = token_hash AND t.expires_at > at AND a.status = 'active'
       AND t.scopes IS NULL AND t.allowed_addresses IS NULL;
END
$$;
REVOKE ALL ON FUNCTION find_caller FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_caller TO disca_service;
