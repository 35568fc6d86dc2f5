-- Returns operators after `after_id` whose TOTP secret is sealed with another key than `key_id`.
CREATE OR REPLACE FUNCTION find_operator_secrets_to_reseal(key_id text, after_id bigint, most integer)
  RETURNS TABLE (id bigint, sealed text)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT o.id, o.totp_sealed FROM operators o
    WHERE o.id > after_id AND split_part(o.totp_sealed, '.', 1) <> key_id ORDER BY o.id LIMIT most;
END
$$;
REVOKE ALL ON FUNCTION find_operator_secrets_to_reseal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_operator_secrets_to_reseal TO disca_service;
