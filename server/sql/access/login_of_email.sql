-- Returns the user with this e-mail address, or who had it and may still log in with it, with the current address, the
-- password hash, and whether the user has logged in from this address before. A single query, so that an unknown address
-- takes as long as a known one. Also used for reset and confirmation mails.
CREATE OR REPLACE FUNCTION login_of_email(login_email text, from_address text, at timestamptz)
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
      FROM (
        SELECT o.id, 0 AS rank, 0::bigint AS former FROM users o WHERE lower(o.email) = lower(login_email)
         UNION ALL
        SELECT f.user_id, 1, f.id FROM former_emails f WHERE lower(f.email) = lower(login_email) AND f.expires_at > at
      ) named
      JOIN users u ON u.id = named.id
      JOIN account_info a ON a.id = u.account_id
     ORDER BY named.rank, named.former DESC
     LIMIT 1;
END
$$;
REVOKE ALL ON FUNCTION login_of_email FROM PUBLIC;
GRANT EXECUTE ON FUNCTION login_of_email TO disca_service, disca_operator;
