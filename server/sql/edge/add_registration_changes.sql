-- Adds the noted changes to the number of registrations, so that few are left to be read. Does nothing while another
-- process does the same. The first call counts the registrations; logins wait for it.
CREATE OR REPLACE FUNCTION edge.add_registration_changes() RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '3s'
AS $$
DECLARE
  total edge.registration_total;
  added bigint;
BEGIN
  SELECT * INTO total FROM edge.registration_total t FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF total.registrations IS NULL THEN
    LOCK TABLE edge.location IN SHARE ROW EXCLUSIVE MODE;
    DELETE FROM edge.registration_changes;
    UPDATE edge.registration_total SET registrations = (SELECT count(*) FROM edge.location);
    RETURN;
  END IF;
  WITH taken AS (DELETE FROM edge.registration_changes RETURNING change)
  SELECT sum(t.change) INTO added FROM taken t;
  IF added <> 0 THEN
    UPDATE edge.registration_total SET registrations = registrations + added;
  END IF;
END
$$;
REVOKE ALL ON FUNCTION edge.add_registration_changes FROM PUBLIC;
