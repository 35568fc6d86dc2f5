-- Releases an extension after its phone has unregistered: phones that it replaced may register again. A replaced phone
-- that unregisters may register again as well. A login is identified by the MD5 of its Call-ID. Returns a number
-- because Kamailio's driver does not support void.
CREATE OR REPLACE FUNCTION edge.log_off(of_domain varchar, of_username varchar, call_id_hash varchar) RETURNS integer
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
REVOKE ALL ON FUNCTION edge.log_off FROM PUBLIC;
GRANT EXECUTE ON FUNCTION edge.log_off TO disca_edge;
