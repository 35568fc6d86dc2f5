-- Returns integrations after `after_id` with a webhook secret that is sealed with another key than `key_id`.
CREATE OR REPLACE FUNCTION find_secrets_to_reseal(key_id text, after_id bigint, most integer)
  RETURNS TABLE (account_id bigint, id bigint)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT i.account_id, i.id FROM integrations i
    WHERE i.id > after_id
      AND (split_part(i.secret_sealed, '.', 1) <> key_id OR split_part(i.previous_secret_sealed, '.', 1) <> key_id)
    ORDER BY i.id LIMIT most;
END
$$;
REVOKE ALL ON FUNCTION find_secrets_to_reseal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_secrets_to_reseal TO disca_service;
