-- Returns the user who has this e-mail address, or who had it verified and can still undo the change; no other user can
-- take it. Null if there is none.
CREATE OR REPLACE FUNCTION email_holder(of_email text, at timestamptz) RETURNS bigint
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT id FROM (
    SELECT u.id, 0 AS rank FROM users u WHERE lower(u.email) = lower(of_email)
     UNION ALL
    SELECT f.user_id, 1 FROM former_emails f
     WHERE lower(f.email) = lower(of_email) AND f.was_verified AND f.expires_at > at
  ) held ORDER BY rank LIMIT 1
$$;
REVOKE ALL ON FUNCTION email_holder FROM PUBLIC;
GRANT EXECUTE ON FUNCTION email_holder TO disca_service;
