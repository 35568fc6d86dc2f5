-- Returns the legs of a running call, also those that have ended. None if the call has ended or never had a command.
CREATE OR REPLACE FUNCTION legs_of_call(of_call uuid) RETURNS SETOF live_legs
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$ BEGIN RETURN QUERY SELECT * FROM live_legs g WHERE g.call_id = of_call ORDER BY g.letter; END $$;
REVOKE ALL ON FUNCTION legs_of_call FROM PUBLIC;
GRANT EXECUTE ON FUNCTION legs_of_call TO disca_service;
