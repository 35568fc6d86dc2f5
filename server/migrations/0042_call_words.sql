-- The words by which a call is found: names, e-mail addresses, numbers and metadata values, folded to lower case without
-- accents, one row each. Derived from calls by the worker (contexts/calls/search), partitioned and removed with them.
CREATE TABLE call_words (
  account_id bigint NOT NULL,
  -- Collation "C": an index in it serves prefixes (`^@`), also under row-level security.
  word text NOT NULL COLLATE "C",
  id uuid NOT NULL,
  PRIMARY KEY (account_id, word, id)
) PARTITION BY RANGE (id);
-- The words of one call: for intersections, erasure and to find calls without words.
CREATE INDEX call_words_call ON call_words (id);
CREATE TABLE call_words_default PARTITION OF call_words DEFAULT;

-- One partition for each month that calls has.
DO $$
DECLARE
  month record;
BEGIN
  FOR month IN
    SELECT replace(c.relname, 'calls_', 'call_words_') AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'calls'::regclass AND c.relname ~ '^calls_[0-9]{4}_[0-9]{2}$'
  LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF call_words %s', month.name, month.bounds);
  END LOOP;
END
$$;

-- How far the worker has indexed calls, by the time in their ids. `new` follows new calls. `all` starts at the oldest
-- call and stays an hour behind: it adds calls from before the upgrade and calls that were written late.
CREATE TABLE call_indexing (
  pass text PRIMARY KEY CHECK (pass IN ('new', 'all')),
  -- Null before the first run of `all`.
  until timestamptz(3)
);
INSERT INTO call_indexing VALUES ('new', now()), ('all', NULL);

GRANT SELECT, INSERT, DELETE ON call_words TO disca_service;
GRANT SELECT ON call_indexing TO disca_service;
