-- Creates missing daily partitions of requests from `first` to `last` and returns how many.
-- requires: platform/make_days
CREATE OR REPLACE FUNCTION make_request_days(first date, last date) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$ BEGIN RETURN make_days('requests', first, last, 100); END $$;
REVOKE ALL ON FUNCTION make_request_days FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_request_days TO disca_service;
