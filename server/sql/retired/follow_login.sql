-- Follows registrations that edges of release 0.1 write: updates presence, replaces the previous login and stores the
-- phone's address. keep_login does the same for its own rows, which have another ruid, and never updates `q`.
-- requires: retired/know_phone, retired/replace_login
CREATE OR REPLACE FUNCTION edge.follow_login() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  extension record;
  last_call_id text;
  valid_until timestamptz := to_timestamp(NEW.expires);
  secured boolean := coalesce(NEW.socket LIKE 'tls:%', false);
  spoken text := CASE
    WHEN NEW.received LIKE '%;transport=ws%' THEN CASE WHEN secured THEN 'wss' ELSE 'ws' END
    ELSE coalesce(substring(NEW.socket FROM '^[a-z]+'), 'udp') END;
BEGIN
  SELECT e.id, e.account_id INTO extension
    FROM public.extensions e JOIN public.accounts a ON a.id = e.account_id
   WHERE a.domain = NEW.domain AND e.ramal = NEW.username;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  SELECT p.sip_call_id INTO last_call_id FROM public.extension_presence p
   WHERE p.extension_id = extension.id FOR UPDATE;
  IF last_call_id <> NEW.callid THEN
    PERFORM edge.replace_login(NEW.domain, NEW.username, last_call_id);
  END IF;
  INSERT INTO public.extension_presence AS p
      (extension_id, account_id, registered_at, expires_at, sip_call_id, contact, transport, user_agent, edge)
    VALUES (extension.id, extension.account_id, now(), valid_until, NEW.callid, left(NEW.contact, 512), spoken,
            left(NEW.user_agent, 200), NEW.server_id)
    ON CONFLICT (extension_id) DO UPDATE SET
      registered_at = CASE WHEN p.sip_call_id = EXCLUDED.sip_call_id AND p.expires_at > now()
                           THEN p.registered_at ELSE EXCLUDED.registered_at END,
      expires_at = EXCLUDED.expires_at, sip_call_id = EXCLUDED.sip_call_id, contact = EXCLUDED.contact,
      transport = EXCLUDED.transport, user_agent = EXCLUDED.user_agent, edge = EXCLUDED.edge;
  IF last_call_id IS DISTINCT FROM NEW.callid THEN
    PERFORM edge.know_phone(NEW.domain, NEW.username, NEW.received);
  END IF;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION edge.follow_login FROM PUBLIC;

CREATE OR REPLACE TRIGGER follow_login AFTER UPDATE OF q ON edge.location
  FOR EACH ROW EXECUTE FUNCTION edge.follow_login();

CREATE OR REPLACE TRIGGER follow_new_login AFTER INSERT ON edge.location
  FOR EACH ROW WHEN (NEW.ruid NOT LIKE 'login-%') EXECUTE FUNCTION edge.follow_login();
