-- Returns the active account of a phone's domain for a call that a known edge has forwarded to a node; other sources
-- are not authenticated. Returns null to a controller whose lease of the node has been fenced.
CREATE OR REPLACE FUNCTION account_of_phone(of_domain text, passed_on_by text, node_name text, node_epoch bigint) RETURNS bigint
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  RETURN (
    SELECT a.id FROM account_info a
     WHERE a.domain = of_domain AND a.status = 'active'
       AND EXISTS (SELECT FROM edge.edges e WHERE e.sip_address = passed_on_by)
       AND EXISTS (SELECT FROM node_leases n
                    WHERE n.name = node_name AND n.epoch = node_epoch AND n.state = 'active'));
END
$$;
REVOKE ALL ON FUNCTION account_of_phone FROM PUBLIC;
GRANT EXECUTE ON FUNCTION account_of_phone TO disca_service;
