-- A person who looks at the list of tokens must know which of them is a browser's session and which feeds the CRM. What
-- a token is called is anybody's choice, so a session is known by more than its name.
ALTER TABLE access_tokens
  ADD COLUMN name text CHECK (length(name) BETWEEN 1 AND 60),
  ADD COLUMN is_console_session boolean NOT NULL DEFAULT false;

-- Which token opened a phone session: who logs out of a browser has no phone there any more.
ALTER TABLE phone_sessions ADD COLUMN token_hash bytea CHECK (octet_length(token_hash) = 32);
CREATE INDEX phone_sessions_token ON phone_sessions (token_hash) WHERE ended_at IS NULL;

CREATE FUNCTION edge.end_token_sessions() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  UPDATE public.phone_sessions s SET ended_at = now() WHERE s.token_hash = OLD.hash AND s.ended_at IS NULL;
  RETURN NULL;
END
$$;
CREATE TRIGGER end_phone_sessions AFTER DELETE ON access_tokens
  FOR EACH ROW EXECUTE FUNCTION edge.end_token_sessions();
REVOKE ALL ON FUNCTION edge.end_token_sessions FROM PUBLIC;
