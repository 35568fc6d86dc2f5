-- What was changed by whom, and what happened: both written in the transaction of the change itself and never
-- changed afterwards, so the service may insert and read but not rewrite.
CREATE TABLE audit_entries (
  id uuid PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  at timestamptz(3) NOT NULL,
  -- The actor is kept by value: the entry outlives the user it names.
  actor_uuid uuid,
  actor_email text,
  action text NOT NULL,
  target_type text NOT NULL,
  target_id text NOT NULL,
  before jsonb,
  after jsonb,
  address text,
  request_id text
);
CREATE INDEX audit_entries_newest ON audit_entries (account_id, at DESC, id DESC);

-- The outbox: publishers read it after commit and number the events of each account without gaps.
CREATE TABLE events (
  id uuid PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  type text NOT NULL,
  subject_id text NOT NULL,
  data jsonb NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  account_sequence bigint,
  UNIQUE (account_id, account_sequence)
);
CREATE INDEX events_unsequenced ON events (id) WHERE account_sequence IS NULL;

ALTER TABLE audit_entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE events ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON audit_entries TO disca_service USING (account_id = current_account());
CREATE POLICY own_account ON events TO disca_service USING (account_id = current_account());
GRANT SELECT, INSERT ON audit_entries, events TO disca_service;
