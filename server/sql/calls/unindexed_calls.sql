-- Returns the calls of any account in a range of ids that have no words yet. Without hash and merge joins, each call is
-- one lookup in the index of its month.
CREATE OR REPLACE FUNCTION unindexed_calls(first_id uuid, end_id uuid)
  RETURNS TABLE (id uuid, account_id bigint, "from" text, "to" text, bina text, email text, first_name text,
    last_name text, metadata jsonb)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
  SELECT c.id, c.account_id, c."from", c."to", c.bina, c.email, c.first_name, c.last_name, c.metadata
    FROM calls c
   WHERE c.id >= first_id AND c.id < end_id AND NOT EXISTS (SELECT FROM call_words w WHERE w.id = c.id)
$$;
REVOKE ALL ON FUNCTION unindexed_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION unindexed_calls TO disca_service;
