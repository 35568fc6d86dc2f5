-- Returns extensions after `after_id` whose HA1 is not stored as it should be: sealed with the key `key_id`, and also as
-- it is only if `with_plain`.
CREATE OR REPLACE FUNCTION find_digests(key_id text, with_plain boolean, after_id bigint, most integer)
  RETURNS TABLE (account_id bigint, id bigint)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT e.account_id, e.id FROM extensions e
    WHERE e.id > after_id
      AND (e.ha1_sealed IS NULL OR split_part(e.ha1_sealed, '.', 1) <> key_id OR (e.ha1 IS NOT NULL) <> with_plain)
    ORDER BY e.id LIMIT most;
END
$$;
REVOKE ALL ON FUNCTION find_digests FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_digests TO disca_service;
