-- Returns accounts after `after_id` whose client secret is sealed with another key than `key_id`.
CREATE OR REPLACE FUNCTION find_sso_secrets_to_reseal(key_id text, after_id bigint, most integer)
  RETURNS TABLE (account_id bigint)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT s.account_id FROM single_sign_on s
    WHERE s.account_id > after_id AND split_part(s.secret_sealed, '.', 1) <> key_id ORDER BY s.account_id LIMIT most;
END
$$;
REVOKE ALL ON FUNCTION find_sso_secrets_to_reseal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_sso_secrets_to_reseal TO disca_service;
