-- Returns the account of a user by UUID, for signed mail links. The caller has already verified the signature.
CREATE OR REPLACE FUNCTION find_user_account(user_uuid uuid) RETURNS bigint
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  RETURN (SELECT u.account_id FROM users u WHERE u.uuid = user_uuid);
END
$$;
REVOKE ALL ON FUNCTION find_user_account FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_user_account TO disca_service;
