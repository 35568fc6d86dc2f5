-- Ends the phone sessions that a token opened when the token is revoked, so that logging out of a browser closes its
-- phone.
CREATE OR REPLACE FUNCTION edge.end_token_sessions() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  UPDATE public.phone_sessions s SET ended_at = now() WHERE s.token_hash = OLD.hash AND s.ended_at IS NULL;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION edge.end_token_sessions FROM PUBLIC;

CREATE OR REPLACE TRIGGER end_phone_sessions AFTER DELETE ON access_tokens
  FOR EACH ROW EXECUTE FUNCTION edge.end_token_sessions();
