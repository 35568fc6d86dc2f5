-- Returns the account of a recording, for signed links and uploads from media nodes.
CREATE OR REPLACE FUNCTION find_recording_account(wanted uuid) RETURNS bigint
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$ BEGIN RETURN (SELECT r.account_id FROM recordings r WHERE r.call_id = wanted); END $$;
REVOKE ALL ON FUNCTION find_recording_account FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_recording_account TO disca_service;
