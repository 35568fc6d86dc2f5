-- Ends the bans with a key on all edges, for the operator. Returns how many there were. Numbered like new bans.
CREATE OR REPLACE FUNCTION edge.lift_bans(of_key text) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  lifted integer;
BEGIN
  LOCK TABLE edge.bans IN SHARE ROW EXCLUSIVE MODE;
  UPDATE edge.bans b SET until = now(), number = nextval('edge.ban_numbers') WHERE b.key = of_key AND b.until > now();
  GET DIAGNOSTICS lifted = ROW_COUNT;
  RETURN lifted;
END
$$;
REVOKE ALL ON FUNCTION edge.lift_bans FROM PUBLIC;
GRANT EXECUTE ON FUNCTION edge.lift_bans TO disca_operator;
