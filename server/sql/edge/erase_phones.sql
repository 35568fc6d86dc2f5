-- Forgets where the phones of these extensions are and were: registrations, presence and known addresses. A phone that is
-- still in use registers again within minutes.
CREATE OR REPLACE FUNCTION edge.erase_phones(extension_ids bigint[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  phones text[] := ARRAY(
    SELECT e.ramal || '@' || a.domain FROM public.extensions e JOIN public.accounts a ON a.id = e.account_id
     WHERE e.id = ANY (extension_ids));
BEGIN
  DELETE FROM edge.location l WHERE l.username || '@' || l.domain = ANY (phones);
  DELETE FROM public.extension_presence p WHERE p.extension_id = ANY (extension_ids);
  DELETE FROM edge.known_phones k WHERE split_part(k.key_name, '|', 2) = ANY (phones);
END
$$;
REVOKE ALL ON FUNCTION edge.erase_phones FROM PUBLIC;
GRANT EXECUTE ON FUNCTION edge.erase_phones TO disca_operator;
