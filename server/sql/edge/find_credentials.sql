-- Returns the sealed HA1 of an extension or a phone session of an active account, its version, and 1 if its account does
-- not accept phones over this protocol. An HA1 that is not sealed yet is returned as it is: 32 hexadecimal digits, without
-- a dot. Ended sessions are kept for a while, so that the edge can distinguish a late phone from password guessing.
CREATE OR REPLACE FUNCTION edge.find_credentials(of_domain varchar, identity varchar, protocol varchar)
  RETURNS TABLE (sealed varchar, version varchar, must_encrypt integer)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  IF position('.' IN identity) = 0 THEN
    RETURN QUERY
      SELECT coalesce(e.ha1_sealed, e.ha1)::varchar, ('v' || e.digest_version)::varchar,
             (a.encrypted_phones_only AND protocol IN ('udp', 'tcp'))::integer
        FROM public.accounts a JOIN public.extensions e ON e.account_id = a.id
       WHERE a.domain = of_domain AND a.status = 'active' AND e.ramal = identity;
  ELSE
    RETURN QUERY
      SELECT coalesce(s.ha1_sealed, s.ha1)::varchar, ''::varchar,
             (a.encrypted_phones_only AND protocol IN ('udp', 'tcp'))::integer
        FROM public.phone_sessions s JOIN public.accounts a ON a.id = s.account_id
       WHERE s.username = identity AND a.domain = of_domain AND a.status = 'active';
  END IF;
END
$$;
REVOKE ALL ON FUNCTION edge.find_credentials FROM PUBLIC;
GRANT EXECUTE ON FUNCTION edge.find_credentials TO disca_edge;
