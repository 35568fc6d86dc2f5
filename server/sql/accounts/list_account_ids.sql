-- Returns the next `most` account ids after the given one, for jobs that visit every account.
CREATE OR REPLACE FUNCTION list_account_ids(after_id bigint, most integer) RETURNS SETOF bigint
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  RETURN QUERY SELECT a.id FROM accounts a WHERE a.id > after_id ORDER BY a.id LIMIT most;
END
$$;
REVOKE ALL ON FUNCTION list_account_ids FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_account_ids TO disca_service, disca_operator;
