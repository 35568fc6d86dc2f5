-- Where a phone is: the edge it registered at, and how it speaks there. Voice rings it through that edge, with the kind of
-- media that its connection calls for.
ALTER TABLE extension_presence ADD COLUMN edge integer NOT NULL DEFAULT 1;

-- As before, and the edge. A browser's connection is TLS to the socket; where the request came from says what is on top.
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

-- The edges that voice may ring phones through, by the clock that they are seen by.
CREATE FUNCTION edges_seen_within(seconds integer) RETURNS TABLE (id integer)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  SELECT e.id FROM edge.edges e WHERE e.seen_at > now() - make_interval(secs => seconds)
$$;
REVOKE ALL ON FUNCTION edges_seen_within FROM PUBLIC;
GRANT EXECUTE ON FUNCTION edges_seen_within TO disca_service;
