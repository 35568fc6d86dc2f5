-- Returns extensions after `after_id` whose SIP password is sealed with another key than `key_id`.
CREATE OR REPLACE FUNCTION find_senhas_to_reseal(key_id text, after_id bigint, most integer)
  RETURNS TABLE (account_id bigint, id bigint)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT e.account_id, e.id FROM extensions e
    WHERE e.id > after_id AND split_part(e.senha_sealed, '.', 1) <> key_id ORDER BY e.id LIMIT most;
END
$$;
REVOKE ALL ON FUNCTION find_senhas_to_reseal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_senhas_to_reseal TO disca_service;
