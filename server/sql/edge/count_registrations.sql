-- Notes that a registration was added or removed. Refreshes change neither.
CREATE OR REPLACE FUNCTION edge.count_registrations() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  INSERT INTO edge.registration_changes (change) VALUES (CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END);
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION edge.count_registrations FROM PUBLIC;

CREATE OR REPLACE TRIGGER count_registrations AFTER INSERT OR DELETE ON edge.location
  FOR EACH ROW EXECUTE FUNCTION edge.count_registrations();
