-- Edges of the previous release call this instead of find_phone.
CREATE OR REPLACE FUNCTION edge.find_ha1(of_domain varchar, identity varchar) RETURNS varchar
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  IF position('.' IN identity) = 0 THEN
    RETURN (SELECT e.ha1 FROM public.accounts a JOIN public.extensions e ON e.account_id = a.id
             WHERE a.domain = of_domain AND a.status = 'active' AND e.ramal = identity);
  END IF;
  RETURN (SELECT s.ha1 FROM public.phone_sessions s JOIN public.accounts a ON a.id = s.account_id
           WHERE s.username = identity AND a.domain = of_domain AND a.status = 'active');
END
$$;
REVOKE ALL ON FUNCTION edge.find_ha1 FROM PUBLIC;
GRANT EXECUTE ON FUNCTION edge.find_ha1 TO disca_edge;
