-- Returns the account of an invitation by UUID, for signed mail links. The caller has already verified the signature.
CREATE OR REPLACE FUNCTION find_invitation_account(invitation_uuid uuid) RETURNS bigint
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  RETURN (SELECT i.account_id FROM invitations i WHERE i.uuid = invitation_uuid);
END
$$;
REVOKE ALL ON FUNCTION find_invitation_account FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_invitation_account TO disca_service;
