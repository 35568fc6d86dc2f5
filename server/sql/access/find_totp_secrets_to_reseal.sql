-- Returns second factors after `after_id` whose TOTP secret is sealed with another key than `key_id`.
CREATE OR REPLACE FUNCTION find_totp_secrets_to_reseal(key_id text, after_id uuid, most integer)
  RETURNS TABLE (account_id bigint, id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT f.account_id, f.id FROM second_factors f
    WHERE f.id > after_id AND split_part(f.secret_sealed, '.', 1) <> key_id ORDER BY f.id LIMIT most;
END
$$;
REVOKE ALL ON FUNCTION find_totp_secrets_to_reseal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_totp_secrets_to_reseal TO disca_service;
