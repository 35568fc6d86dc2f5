-- Returns recordings after `after_id` that were encrypted, but whose former file has not been deleted.
CREATE OR REPLACE FUNCTION find_plain_files(after_id uuid, most integer)
  RETURNS TABLE (account_id bigint, call_id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT r.account_id, r.call_id FROM recordings r
    WHERE r.call_id > after_id AND r.plain_key IS NOT NULL ORDER BY r.call_id LIMIT most;
END
$$;
REVOKE ALL ON FUNCTION find_plain_files FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_plain_files TO disca_service;
