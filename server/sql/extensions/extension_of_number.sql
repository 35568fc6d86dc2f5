-- Returns the account and extension that an inbound call to a number rings. Among the extensions that present the
-- number, this is the registered one with the lowest id whose owner is available, otherwise the registered one with the
-- lowest id, otherwise the one with the lowest id. Numbers assigned by the operator take precedence over verified ones.
-- Returns nothing to a controller whose lease of the node has been fenced.
CREATE OR REPLACE FUNCTION extension_of_number(called text, modes text[], at timestamptz, node_name text, node_epoch bigint)
  RETURNS TABLE (account_id bigint, ramal text)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT c.account_id, e.ramal
      FROM caller_ids c
      JOIN account_info a ON a.id = c.account_id AND a.status = 'active' AND a.mode = c.mode
      JOIN extensions e ON e.account_id = c.account_id AND e.bina = c.number
      LEFT JOIN user_availability o ON o.id = e.user_id
      LEFT JOIN extension_presence p ON p.extension_id = e.id AND p.expires_at > at
     WHERE c.number = called AND c.mode = ANY (modes) AND c.status = 'owned'
       AND EXISTS (SELECT FROM node_leases n
                    WHERE n.name = node_name AND n.epoch = node_epoch AND n.state = 'active')
     ORDER BY (c.source = 'operator') DESC, c.id,
              (p.extension_id IS NOT NULL AND coalesce(o.availability, 'available') = 'available') DESC,
              (p.extension_id IS NOT NULL) DESC, e.id
     LIMIT 1;
END
$$;
REVOKE ALL ON FUNCTION extension_of_number FROM PUBLIC;
GRANT EXECUTE ON FUNCTION extension_of_number TO disca_service;
