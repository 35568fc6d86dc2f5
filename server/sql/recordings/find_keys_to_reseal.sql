-- Returns accounts after `after_id` whose recording key is sealed with another key than `key_id`.
CREATE OR REPLACE FUNCTION find_keys_to_reseal(key_id text, after_id bigint, most integer)
  RETURNS TABLE (account_id bigint)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT k.account_id FROM recording_keys k
    WHERE k.account_id > after_id AND split_part(k.key_sealed, '.', 1) <> key_id ORDER BY k.account_id LIMIT most;
END
$$;
REVOKE ALL ON FUNCTION find_keys_to_reseal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_keys_to_reseal TO disca_service;
