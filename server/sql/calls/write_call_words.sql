-- Writes the words of calls of any account.
CREATE OR REPLACE FUNCTION write_call_words(accounts bigint[], words text[], ids uuid[]) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
  INSERT INTO call_words (account_id, word, id) SELECT * FROM unnest(accounts, words, ids) ON CONFLICT DO NOTHING
$$;
REVOKE ALL ON FUNCTION write_call_words FROM PUBLIC;
GRANT EXECUTE ON FUNCTION write_call_words TO disca_service, disca_operator;
