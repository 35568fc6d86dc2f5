-- Stores a registration or its refresh: location, presence, the replaced login and the phone's address. Called after the
-- password was verified; `verified_ha1` is the version that find_credentials returned, or from edges of the previous
-- release the HA1, and must still be valid. Returns the granted seconds, or
--    0  a newer login has replaced this one,
--   -1  the phone session has ended or is about to,
--   -2  the credentials are no longer valid,
--   -3  a later request of the same login is stored already.
-- Text from phones arrives as the hexadecimal form of its bytes, so that none can end a literal of the statement. Rows
-- are locked in the order of every other writer: session, extension, location, presence, replaced logins. The triggers
-- for edges of release 0.1 ignore these rows by their ruid, and updates without the column q.
-- requires: edge/hold_session
CREATE OR REPLACE FUNCTION edge.keep_login(
  of_domain varchar, identity varchar, verified_ha1 varchar, call_id_hex varchar, sequence integer, contact_hex varchar,
  agent_hex varchar, received_from varchar, at_socket varchar, protocol varchar, phone_key varchar,
  wanted_seconds integer, at_edge integer, connection integer, ping_parts integer
) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  of_username varchar := split_part(identity, '.', 1);
  call_id varchar := convert_from(decode(call_id_hex, 'hex'), 'LATIN1');
  its_contact varchar := convert_from(decode(contact_hex, 'hex'), 'LATIN1');
  agent varchar := left(convert_from(decode(agent_hex, 'hex'), 'LATIN1'), 200);
  now_seconds bigint := floor(extract(epoch FROM now()));
  granted integer := wanted_seconds;
  stored integer;
  extension record;
BEGIN
  -- Orders concurrent logins of an extension, of which none may have a row yet.
  PERFORM pg_advisory_xact_lock(72114044, hashtext(of_username || '@' || of_domain));
  IF identity <> of_username THEN
    granted := least(granted, edge.hold_session(of_domain, of_username, identity, md5(call_id)));
    -- A phone would refresh at ever shorter intervals.
    IF granted < 10 THEN
      RETURN -1;
    END IF;
  END IF;
  SELECT e.id, e.account_id, e.ha1, e.digest_version, p.sip_call_id AS last_call_id,
         EXISTS (SELECT FROM edge.replaced_logins r
                  WHERE r.domain = of_domain AND r.username = of_username AND r.call_id_hash = md5(call_id)) AS is_replaced
    INTO extension
    FROM public.accounts a
    JOIN public.extensions e ON e.account_id = a.id
    LEFT JOIN public.extension_presence p ON p.extension_id = e.id
   WHERE a.domain = of_domain AND a.status = 'active' AND e.ramal = of_username;
  IF NOT FOUND OR (identity = of_username AND verified_ha1 <> 'v' || extension.digest_version
                   AND verified_ha1 IS DISTINCT FROM extension.ha1) THEN
    RETURN -2;
  END IF;
  IF extension.is_replaced THEN
    RETURN 0;
  END IF;

  UPDATE edge.location l SET
      contact = its_contact, received = received_from, expires = now_seconds + granted, callid = call_id, cseq = sequence,
      last_modified = now_seconds, user_agent = agent, socket = at_socket, server_id = at_edge, connection_id = connection
   WHERE l.domain = of_domain AND l.username = of_username
     AND NOT (l.callid = call_id AND l.contact = its_contact AND l.cseq > sequence);
  GET DIAGNOSTICS stored = ROW_COUNT;
  IF stored > 1 THEN
    -- Logins at the same time at two edges of release 0.1.
    DELETE FROM edge.location l WHERE l.domain = of_domain AND l.username = of_username AND l.id < (
      SELECT max(o.id) FROM edge.location o WHERE o.domain = of_domain AND o.username = of_username);
  ELSIF stored = 0 THEN
    IF EXISTS (SELECT FROM edge.location l WHERE l.domain = of_domain AND l.username = of_username) THEN
      RETURN -3;
    END IF;
    -- Waits for a change of the number or password, which would not see the new row.
    PERFORM FROM public.extensions e
      WHERE e.id = extension.id AND e.ramal = of_username AND e.digest_version = extension.digest_version FOR SHARE;
    IF NOT FOUND THEN
      RETURN -2;
    END IF;
    INSERT INTO edge.location (ruid, username, domain, contact, received, expires, callid, cseq, last_modified, cflags,
                               user_agent, socket, server_id, connection_id, keepalive, partition)
      VALUES ('login-' || extension.id, of_username, of_domain, its_contact, received_from, now_seconds + granted, call_id,
              sequence, now_seconds, 64, agent, at_socket, at_edge, connection, 1, extension.id % ping_parts);
  END IF;

  INSERT INTO public.extension_presence AS p
      (extension_id, account_id, registered_at, expires_at, sip_call_id, contact, transport, user_agent, edge)
    VALUES (extension.id, extension.account_id, now(), now() + make_interval(secs => granted), call_id,
            left(its_contact, 512), protocol, agent, at_edge)
    ON CONFLICT (extension_id) DO UPDATE SET
      registered_at = CASE WHEN p.sip_call_id = EXCLUDED.sip_call_id AND p.expires_at > now()
                           THEN p.registered_at ELSE EXCLUDED.registered_at END,
      expires_at = EXCLUDED.expires_at, sip_call_id = EXCLUDED.sip_call_id, contact = EXCLUDED.contact,
      transport = EXCLUDED.transport, user_agent = EXCLUDED.user_agent, edge = EXCLUDED.edge;
  IF extension.last_call_id <> call_id THEN
    INSERT INTO edge.replaced_logins (domain, username, call_id_hash, replaced_at)
      VALUES (of_domain, of_username, md5(extension.last_call_id), clock_timestamp())
      ON CONFLICT (domain, username, call_id_hash) DO UPDATE SET replaced_at = EXCLUDED.replaced_at;
  END IF;
  IF extension.last_call_id IS DISTINCT FROM call_id THEN
    INSERT INTO edge.known_phones (key_name, expires) VALUES (phone_key, now_seconds + 86400)
      ON CONFLICT (key_name) DO UPDATE SET expires = EXCLUDED.expires;
  END IF;
  RETURN granted;
END
$$;
REVOKE ALL ON FUNCTION edge.keep_login FROM PUBLIC;
GRANT EXECUTE ON FUNCTION edge.keep_login TO disca_edge;
