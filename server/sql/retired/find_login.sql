-- The former form of login_of_email, which release 0.9 calls. That release does not know former addresses.
CREATE OR REPLACE FUNCTION find_login(login_email text, from_address text)
  RETURNS TABLE (
    account_id bigint, account_name text, account_status text, user_id bigint, uuid uuid, email text, locale text,
    email_verified boolean, password_hash text, password_changed_at timestamptz, knows_address boolean
  )
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT u.account_id, a.name, a.status, u.id, u.uuid, u.email, u.locale,
           u.email_verified, u.password_hash, u.password_changed_at::timestamptz,
           EXISTS (SELECT FROM known_addresses k WHERE k.user_id = u.id AND k.address = from_address)
      FROM users u JOIN account_info a ON a.id = u.account_id
     WHERE lower(u.email) = lower(login_email);
END
$$;
REVOKE ALL ON FUNCTION find_login FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_login TO disca_service;
