-- Removes a number from other accounts that have verified it. Concurrent verifications of the same number wait for each
-- other.
CREATE OR REPLACE FUNCTION release_caller_id(released text, in_mode text, keeper bigint)
  RETURNS TABLE (account_id bigint, caller_id bigint)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock(72114002, hashtext(released || in_mode));
  RETURN QUERY
    DELETE FROM caller_ids c
     WHERE c.number = released AND c.mode = in_mode AND c.account_id <> keeper
       AND c.status = 'owned' AND c.source = 'verified'
    RETURNING c.account_id, c.id;
END
$$;
REVOKE ALL ON FUNCTION release_caller_id FROM PUBLIC;
GRANT EXECUTE ON FUNCTION release_caller_id TO disca_service;
