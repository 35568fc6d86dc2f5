-- Returns those of the given calls that have not ended.
CREATE OR REPLACE FUNCTION live_among(wanted uuid[]) RETURNS SETOF live_calls
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$ BEGIN RETURN QUERY SELECT * FROM live_calls l WHERE l.call_id = ANY (wanted); END $$;
REVOKE ALL ON FUNCTION live_among FROM PUBLIC;
GRANT EXECUTE ON FUNCTION live_among TO disca_service;
