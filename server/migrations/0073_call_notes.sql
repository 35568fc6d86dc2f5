-- What people write about a call after it. A separate table, so that placing and ending calls write as much as before;
-- partitioned like calls, so that notes are archived with their calls. Absent values are null.
CREATE TABLE call_notes (
  account_id bigint NOT NULL,
  id uuid NOT NULL,
  disposition text,
  note text,
  tags text[] CHECK (cardinality(tags) > 0),
  updated_at timestamptz(3) NOT NULL,
  updated_by bigint NOT NULL,
  PRIMARY KEY (account_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX call_notes_disposition ON call_notes (account_id, disposition, id);
CREATE TABLE call_notes_default PARTITION OF call_notes DEFAULT;

DO $$
DECLARE
  month record;
BEGIN
  FOR month IN
    SELECT replace(c.relname, 'calls_', 'call_notes_') AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'calls'::regclass AND c.relname ~ '^calls_[0-9]{4}_[0-9]{2}$'
  LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF call_notes %s', month.name, month.bounds);
  END LOOP;
END
$$;

-- The dispositions among which the people of an account choose, in the order in which they are shown.
CREATE TABLE call_dispositions (
  account_id bigint PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  names text[] NOT NULL
);

GRANT SELECT, INSERT, UPDATE ON call_notes, call_dispositions TO disca_service;
