-- Edges of the previous release call this instead of find_credentials. They need HA1s that are not sealed (digest_use).
CREATE OR REPLACE FUNCTION edge.find_phone(of_domain varchar, identity varchar, protocol varchar)
  RETURNS TABLE (ha1 varchar, must_encrypt integer)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  IF position('.' IN identity) = 0 THEN
    RETURN QUERY
      SELECT e.ha1::varchar, (a.encrypted_phones_only AND protocol IN ('udp', 'tcp'))::integer
        FROM public.accounts a JOIN public.extensions e ON e.account_id = a.id
       WHERE a.domain = of_domain AND a.status = 'active' AND e.ramal = identity;
  ELSE
    RETURN QUERY
      SELECT s.ha1::varchar, (a.encrypted_phones_only AND protocol IN ('udp', 'tcp'))::integer
        FROM public.phone_sessions s JOIN public.accounts a ON a.id = s.account_id
       WHERE s.username = identity AND a.domain = of_domain AND a.status = 'active';
  END IF;
END
$$;
REVOKE ALL ON FUNCTION edge.find_phone FROM PUBLIC;
GRANT EXECUTE ON FUNCTION edge.find_phone TO disca_edge;
