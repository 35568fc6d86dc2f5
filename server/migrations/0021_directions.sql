-- Calls that a phone or a carrier begins: dialled by a softphone, from one extension to another, from outside to a number
-- of the account.
ALTER TABLE live_calls DROP CONSTRAINT live_calls_kind_check;
ALTER TABLE live_calls ADD CONSTRAINT live_calls_kind_check
  CHECK (kind IN ('click', 'code', 'dialled', 'internal', 'inbound')) NOT VALID;
ALTER TABLE live_calls VALIDATE CONSTRAINT live_calls_kind_check;

-- Set 1 is whom an edge believes: all media nodes. Set 2 is where it takes calls that phones begin: the nodes that would
-- be told what to do with one. A node whose controller has not been heard of for 4 s, or that drains, is not among them.
CREATE OR REPLACE FUNCTION edge.trusted_peers() RETURNS TABLE (setid integer, sip_address varchar)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  RETURN QUERY
    SELECT 1, n.sip_address::varchar FROM public.media_nodes n
    UNION ALL
    SELECT 2, n.sip_address::varchar FROM public.media_nodes n
     WHERE n.connected AND n.state = 'active' AND n.last_seen_at > now() - interval '4 seconds'
    UNION ALL
    SELECT 1000 + e.id, e.sip_address FROM edge.edges e WHERE e.seen_at > now() - interval '5 minutes';
END
$$;

-- Whose phone calls? Asked for a node by whoever holds its lease, of a call that an edge has passed on: only edges ask
-- phones for their password. Nobody for an account that is not active.
CREATE FUNCTION account_of_phone(of_domain text, passed_on_by text, node_name text, node_epoch bigint) RETURNS bigint
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  RETURN (
    SELECT a.id FROM accounts a
     WHERE a.domain = of_domain AND a.status = 'active'
       AND EXISTS (SELECT FROM edge.edges e WHERE e.sip_address = passed_on_by)
       AND EXISTS (SELECT FROM media_nodes n
                    WHERE n.name = node_name AND n.epoch = node_epoch AND n.state = 'active'));
END
$$;

-- Whose number is called from outside, by a trunk of one of these modes, and which extension rings: of those that show
-- the number, the registered one with the lowest id, or the lowest of all if none is. What the operator has assigned
-- comes before what somebody has proved.
CREATE FUNCTION extension_of_number(called text, modes text[], at timestamptz, node_name text, node_epoch bigint)
  RETURNS TABLE (account_id bigint, ramal text)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT c.account_id, e.ramal
      FROM caller_ids c
      JOIN accounts a ON a.id = c.account_id AND a.status = 'active' AND a.mode = c.mode
      JOIN extensions e ON e.account_id = c.account_id AND e.bina = c.number
      LEFT JOIN extension_presence p ON p.extension_id = e.id AND p.expires_at > at
     WHERE c.number = called AND c.mode = ANY (modes) AND c.status = 'owned'
       AND EXISTS (SELECT FROM media_nodes n
                    WHERE n.name = node_name AND n.epoch = node_epoch AND n.state = 'active')
     ORDER BY (c.source = 'operator') DESC, c.id, (p.extension_id IS NOT NULL) DESC, e.id
     LIMIT 1;
END
$$;
CREATE INDEX caller_ids_number ON caller_ids (number) WHERE status = 'owned';
CREATE INDEX extensions_bina ON extensions (account_id, bina);

REVOKE ALL ON FUNCTION account_of_phone, extension_of_number FROM PUBLIC;
GRANT EXECUTE ON FUNCTION account_of_phone, extension_of_number TO disca_service;
