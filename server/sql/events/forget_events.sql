-- Deletes the events of an account that is deleted. The deletion of its counter, a foreign key, comes first and waits
-- for a sequencer that is moving events of the account to the log.
CREATE OR REPLACE FUNCTION forget_events() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  DELETE FROM event_outbox o WHERE o.account_id = OLD.id;
  DELETE FROM events e WHERE e.account_id = OLD.id;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION forget_events FROM PUBLIC;

CREATE OR REPLACE TRIGGER forget_events AFTER DELETE ON accounts FOR EACH ROW EXECUTE FUNCTION forget_events();
