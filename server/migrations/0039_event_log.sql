-- Events are recorded in an outbox with a single index and move to the log when they get their number. The log is
-- partitioned by day, so that retention drops partitions instead of deleting rows.

-- Reads all events but blocks neither reads nor writes. The lock that does is taken afterwards and held briefly.
ALTER TABLE events VALIDATE CONSTRAINT events_unpartitioned_ids;
LOCK TABLE events IN ACCESS EXCLUSIVE MODE;

-- Events that have no number yet. Without foreign keys, which would need a second index: events of a deleted account
-- are deleted by a trigger.
CREATE TABLE event_outbox (
  id uuid PRIMARY KEY,
  account_id bigint NOT NULL,
  type text NOT NULL,
  subject_id text NOT NULL,
  data jsonb NOT NULL,
  occurred_at timestamptz(3) NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
GRANT SELECT, INSERT ON event_outbox TO disca_service;

ALTER TABLE events RENAME TO events_unpartitioned;
ALTER INDEX events_pkey RENAME TO events_unpartitioned_pkey;
ALTER INDEX events_subject RENAME TO events_unpartitioned_subject;
ALTER INDEX events_time RENAME TO events_unpartitioned_time;

-- Without a foreign key: creating and dropping a partition would lock accounts.
CREATE TABLE events (
  id uuid PRIMARY KEY,
  account_id bigint NOT NULL,
  type text NOT NULL,
  subject_id text NOT NULL,
  data jsonb NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  -- Null only in events_unpartitioned.
  account_sequence bigint
) PARTITION BY RANGE (id);
CREATE INDEX events_subject ON events (account_id, subject_id);
CREATE INDEX events_time ON events (account_id, occurred_at);
GRANT SELECT, INSERT ON events TO disca_service;

-- Daily partitions are created like the default partition, so its constraints and indexes apply to each.
CREATE TABLE events_default PARTITION OF events (
  CONSTRAINT events_numbered CHECK (account_sequence IS NOT NULL)
) DEFAULT;
CREATE UNIQUE INDEX events_default_number ON events_default (account_id, account_sequence);

-- The log takes over the policy and, as its first partition, the rows of the previous table. A new database has none.
DO $$
DECLARE
  bound text;
BEGIN
  EXECUTE (SELECT format('CREATE POLICY %I ON events TO disca_service USING (%s)', p.polname, pg_get_expr(p.polqual, p.polrelid))
             FROM pg_policy p WHERE p.polrelid = 'events_unpartitioned'::regclass);
  EXECUTE 'ALTER TABLE events ENABLE ROW LEVEL SECURITY';
  IF NOT EXISTS (SELECT FROM events_unpartitioned) THEN
    DROP TABLE events_unpartitioned;
    RETURN;
  END IF;
  EXECUTE (SELECT format('DROP POLICY %I ON events_unpartitioned', p.polname)
             FROM pg_policy p WHERE p.polrelid = 'events_unpartitioned'::regclass);
  ALTER TABLE events_unpartitioned DISABLE ROW LEVEL SECURITY;
  REVOKE ALL ON events_unpartitioned FROM disca_service;
  SELECT substring(pg_get_constraintdef(c.oid) FROM '''([0-9a-f-]+)''') INTO bound FROM pg_constraint c
   WHERE c.conrelid = 'events_unpartitioned'::regclass AND c.conname = 'events_unpartitioned_ids';
  EXECUTE format('ALTER TABLE events ATTACH PARTITION events_unpartitioned FOR VALUES FROM (MINVALUE) TO (%L)', bound);
END
$$;
