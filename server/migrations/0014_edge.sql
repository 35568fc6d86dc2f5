-- What the SIP edge (Kamailio) reads and writes, in a schema of its own. Its login roles are members of disca_edge and
-- see nothing else: of an extension they see the HA1, never the password, and of an account its domain.
DO $$
BEGIN
  CREATE ROLE disca_edge NOLOGIN NOSUPERUSER NOBYPASSRLS;
EXCEPTION
  WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;
CREATE SCHEMA edge;
GRANT USAGE ON SCHEMA edge TO disca_edge;

-- Kamailio's modules ask for the version of the table that each expects.
CREATE TABLE edge.version (
  table_name varchar PRIMARY KEY,
  table_version integer NOT NULL
);
INSERT INTO edge.version (table_name, table_version)
  VALUES ('version', 1), ('subscriber', 7), ('location', 9), ('dispatcher', 4), ('known_phones', 2);

-- A view, so that a new or changed extension works at once. Plain varchar, because a length would keep the indexes
-- from being used.
CREATE VIEW edge.subscriber AS
  SELECT e.ramal::varchar AS username, a.domain::varchar AS domain, e.ha1::varchar AS ha1
    FROM public.extensions e JOIN public.accounts a ON a.id = e.account_id
   WHERE a.status = 'active';

-- Who is registered where; the columns are Kamailio's. Times are seconds since 1970, which know no time zone.
CREATE TABLE edge.location (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  ruid varchar NOT NULL UNIQUE,
  username varchar NOT NULL,
  domain varchar NOT NULL,
  contact varchar NOT NULL,
  received varchar,
  path varchar,
  expires bigint NOT NULL,
  q real NOT NULL DEFAULT 1,
  callid varchar NOT NULL,
  cseq integer NOT NULL,
  last_modified bigint NOT NULL,
  flags integer NOT NULL DEFAULT 0,
  cflags integer NOT NULL DEFAULT 0,
  user_agent varchar NOT NULL DEFAULT '',
  socket varchar,
  methods integer,
  instance varchar,
  reg_id integer NOT NULL DEFAULT 0,
  server_id integer NOT NULL DEFAULT 0,
  connection_id integer NOT NULL DEFAULT 0,
  keepalive integer NOT NULL DEFAULT 0,
  partition integer NOT NULL DEFAULT 0
) WITH (fillfactor = 70);
CREATE INDEX location_address_of_record ON edge.location (domain, username);
CREATE INDEX location_expiry ON edge.location (expires);
-- Each edge pings its own phones, a part of them every second, and forgets those whose connection has closed.
CREATE INDEX location_part ON edge.location (server_id, partition);
CREATE INDEX location_connection ON edge.location (server_id, connection_id) WHERE connection_id > 0;

-- Logins that a newer one took the extension from. Their refreshes are refused by every edge: otherwise two phones
-- would steal the extension from each other for ever. A login is known by the MD5 of its Call-ID.
CREATE TABLE edge.replaced_logins (
  domain varchar NOT NULL,
  username varchar NOT NULL,
  call_id_hash varchar NOT NULL,
  replaced_at timestamptz NOT NULL,
  PRIMARY KEY (domain, username, call_id_hash)
);

-- From where an extension has registered lately, in the columns of Kamailio's hash tables: an edge that starts loads
-- it, so that a restart makes no stranger of anybody.
CREATE TABLE edge.known_phones (
  key_name varchar PRIMARY KEY,
  key_type integer NOT NULL DEFAULT 0,
  value_type integer NOT NULL DEFAULT 1,
  key_value varchar NOT NULL DEFAULT '1',
  expires bigint NOT NULL
);
CREATE INDEX known_phones_expiry ON edge.known_phones (expires);

-- The edges themselves. Each announces where the others reach it, on the private side.
CREATE TABLE edge.edges (
  id integer PRIMARY KEY CHECK (id BETWEEN 1 AND 999),
  sip_address varchar NOT NULL UNIQUE,
  seen_at timestamptz NOT NULL
);

-- Whom an edge believes when it speaks from the private side: set 1 is the media nodes, set 1000 + N the edge N. The
-- media nodes' table comes after this file, and a function looks it up only when it is asked.
CREATE FUNCTION edge.trusted_peers() RETURNS TABLE (setid integer, sip_address varchar)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  RETURN QUERY
    SELECT 1, n.sip_address::varchar FROM public.media_nodes n
    UNION ALL
    SELECT 1000 + e.id, e.sip_address FROM edge.edges e WHERE e.seen_at > now() - interval '5 minutes';
END
$$;
CREATE VIEW edge.dispatcher AS
  SELECT p.setid, ('sip:' || p.sip_address)::varchar AS destination, 0 AS flags, 0 AS priority, ''::varchar AS attrs,
         ''::varchar AS description
    FROM edge.trusted_peers() p;

-- Answers a number only because Kamailio's driver knows no void; so does log_off.
CREATE FUNCTION edge.announce(edge_id integer, address varchar) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  -- An address has moved with its machine if another edge announced it before.
  DELETE FROM edge.edges e WHERE e.sip_address = address AND e.id <> edge_id;
  INSERT INTO edge.edges (id, sip_address, seen_at) VALUES (edge_id, address, now())
    ON CONFLICT (id) DO UPDATE SET sip_address = EXCLUDED.sip_address, seen_at = EXCLUDED.seen_at;
  RETURN edge_id;
END
$$;

-- A login or a refresh: presence follows, the login before it is replaced, and the address is known from now on.
CREATE FUNCTION edge.follow_login() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  extension record;
  last_call_id text;
  valid_until timestamptz := to_timestamp(NEW.expires);
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
      (extension_id, account_id, registered_at, expires_at, sip_call_id, contact, transport, user_agent)
    VALUES (extension.id, extension.account_id, now(), valid_until, NEW.callid, left(NEW.contact, 512),
            coalesce(substring(NEW.socket FROM '^[a-z]+'), 'udp'), left(NEW.user_agent, 200))
    ON CONFLICT (extension_id) DO UPDATE SET
      registered_at = CASE WHEN p.sip_call_id = EXCLUDED.sip_call_id AND p.expires_at > now()
                           THEN p.registered_at ELSE EXCLUDED.registered_at END,
      expires_at = EXCLUDED.expires_at, sip_call_id = EXCLUDED.sip_call_id, contact = EXCLUDED.contact,
      transport = EXCLUDED.transport, user_agent = EXCLUDED.user_agent;
  IF last_call_id IS DISTINCT FROM NEW.callid THEN
    PERFORM edge.know_phone(NEW.domain, NEW.username, NEW.received);
  END IF;
  RETURN NULL;
END
$$;

-- The newest twenty of a day are enough: who logs in more often than that has only himself to push out.
CREATE FUNCTION edge.replace_login(of_domain varchar, of_username varchar, call_id text) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  INSERT INTO edge.replaced_logins (domain, username, call_id_hash, replaced_at)
    VALUES (of_domain, of_username, md5(call_id), clock_timestamp())
    ON CONFLICT (domain, username, call_id_hash) DO UPDATE SET replaced_at = EXCLUDED.replaced_at;
  DELETE FROM edge.replaced_logins r
   WHERE r.domain = of_domain AND r.username = of_username AND (
     r.replaced_at < now() - interval '1 day' OR r.call_id_hash IN (
       SELECT o.call_id_hash FROM edge.replaced_logins o
        WHERE o.domain = of_domain AND o.username = of_username
        ORDER BY o.replaced_at DESC OFFSET 20));
END
$$;

CREATE FUNCTION edge.know_phone(of_domain varchar, of_username varchar, received varchar) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  address text := substring(received FROM '^sips?:(\[[^]]+\]|[^:;]+)');
  day_from_now bigint := extract(epoch FROM now())::bigint + 86400;
BEGIN
  IF address IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO edge.known_phones (key_name, expires)
    VALUES (format('%s|%s@%s', trim(address, '[]'), of_username, of_domain), day_from_now)
    ON CONFLICT (key_name) DO UPDATE SET expires = EXCLUDED.expires;
  DELETE FROM edge.known_phones WHERE key_name IN (
    SELECT k.key_name FROM edge.known_phones k WHERE k.expires < day_from_now - 86400 LIMIT 10 FOR UPDATE SKIP LOCKED);
END
$$;

-- The end of a registration. The row stays and says who was last: the next login, if another, replaces that one.
CREATE FUNCTION edge.follow_end() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  UPDATE public.extension_presence p SET expires_at = least(p.expires_at, now())
    FROM public.extensions e JOIN public.accounts a ON a.id = e.account_id
   WHERE p.extension_id = e.id AND a.domain = OLD.domain AND e.ramal = OLD.username
     AND p.sip_call_id = OLD.callid
     AND NOT EXISTS (SELECT FROM edge.location l WHERE l.domain = OLD.domain AND l.username = OLD.username);
  RETURN NULL;
END
$$;

CREATE TRIGGER follow_login AFTER INSERT OR UPDATE ON edge.location
  FOR EACH ROW EXECUTE FUNCTION edge.follow_login();
CREATE TRIGGER follow_end AFTER DELETE ON edge.location
  FOR EACH ROW EXECUTE FUNCTION edge.follow_end();

-- A phone that logs off gives the extension back: whoever it had replaced may return. A replaced phone that logs off
-- may log in again. Asked by the edge after a REGISTER that expires at once; the login is known by its hash.
CREATE FUNCTION edge.log_off(of_domain varchar, of_username varchar, call_id_hash varchar) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_variable
DECLARE was_current boolean;
BEGIN
  DELETE FROM public.extension_presence p
   USING public.extensions e JOIN public.accounts a ON a.id = e.account_id
   WHERE p.extension_id = e.id AND a.domain = of_domain AND e.ramal = of_username
     AND md5(p.sip_call_id) = call_id_hash
     AND NOT EXISTS (SELECT FROM edge.location l WHERE l.domain = of_domain AND l.username = of_username);
  was_current := FOUND;
  DELETE FROM edge.replaced_logins r
   WHERE r.domain = of_domain AND r.username = of_username AND (was_current OR r.call_id_hash = call_id_hash);
  RETURN 1;
END
$$;

-- Whatever makes a password void ends the registration that it opened.
CREATE FUNCTION edge.forget_extension() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE of_domain varchar := (SELECT a.domain FROM public.accounts a WHERE a.id = OLD.account_id);
BEGIN
  DELETE FROM edge.location l WHERE l.domain = of_domain AND l.username = OLD.ramal;
  DELETE FROM edge.replaced_logins r WHERE r.domain = of_domain AND r.username = OLD.ramal;
  DELETE FROM public.extension_presence p WHERE p.extension_id = OLD.id;
  RETURN NULL;
END
$$;
CREATE TRIGGER forget_changed_extension AFTER UPDATE OF ramal, ha1 ON public.extensions
  FOR EACH ROW WHEN (OLD.ramal <> NEW.ramal OR OLD.ha1 <> NEW.ha1) EXECUTE FUNCTION edge.forget_extension();
CREATE TRIGGER forget_removed_extension AFTER DELETE ON public.extensions
  FOR EACH ROW EXECUTE FUNCTION edge.forget_extension();

CREATE FUNCTION edge.forget_account() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  DELETE FROM edge.location l WHERE l.domain = OLD.domain;
  DELETE FROM edge.replaced_logins r WHERE r.domain = OLD.domain;
  RETURN NULL;
END
$$;
CREATE TRIGGER forget_inactive_account AFTER UPDATE OF status, domain ON public.accounts
  FOR EACH ROW WHEN (OLD.status = 'active' AND (NEW.status <> 'active' OR OLD.domain <> NEW.domain))
  EXECUTE FUNCTION edge.forget_account();
CREATE TRIGGER forget_removed_account AFTER DELETE ON public.accounts
  FOR EACH ROW EXECUTE FUNCTION edge.forget_account();

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA edge FROM PUBLIC;
GRANT EXECUTE ON FUNCTION edge.announce, edge.log_off, edge.trusted_peers TO disca_edge;
GRANT SELECT ON edge.version, edge.subscriber, edge.dispatcher, edge.replaced_logins, edge.known_phones TO disca_edge;
GRANT SELECT, INSERT, UPDATE, DELETE ON edge.location TO disca_edge;
