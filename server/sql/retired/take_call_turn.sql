-- The former name of reserve_call_slot, which release 0.1 calls.
-- requires: retired/reserve_call_slot
CREATE OR REPLACE FUNCTION take_call_turn(at timestamptz, most_a_second integer, most_at_once integer) RETURNS text
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  RETURN reserve_call_slot(at, most_a_second, most_at_once);
END
$$;
REVOKE ALL ON FUNCTION take_call_turn FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_call_turn TO disca_service;
