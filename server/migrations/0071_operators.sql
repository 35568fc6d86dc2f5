-- Operators were everyone who had the owner's password of the database, and nothing said who did what. They are named people
-- with a role, a password and a second factor, and everything they change is in a log whose entries are chained by
-- hashes. The service has no access to these tables.
CREATE TABLE operators (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL UNIQUE CHECK (name ~ '^[a-z][a-z0-9-]{1,29}$'),
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('support', 'finance', 'network', 'owner')),
  -- Null until the operator has chosen a password with the set-up code.
  password_hash text,
  totp_sealed text,
  -- The time step of the last accepted code, so that a code is accepted once.
  totp_step bigint NOT NULL DEFAULT 0,
  setup_hash bytea,
  setup_expires_at timestamptz,
  failures integer NOT NULL DEFAULT 0,
  held_until timestamptz,
  disabled_at timestamptz,
  created_at timestamptz NOT NULL
);

CREATE TABLE operator_sessions (
  hash bytea PRIMARY KEY,
  operator_id bigint NOT NULL REFERENCES operators,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX operator_sessions_operator ON operator_sessions (operator_id);

-- Written by append_operator_log only, and append-only even for its owner.
CREATE TABLE operator_log (
  seq bigint PRIMARY KEY,
  at timestamptz NOT NULL,
  operator text NOT NULL,
  role text NOT NULL,
  command text NOT NULL,
  target text NOT NULL,
  reason text NOT NULL,
  details jsonb NOT NULL,
  previous bytea NOT NULL,
  hash bytea NOT NULL
);

-- The last entry, so that its removal is found as well.
CREATE TABLE operator_log_head (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  seq bigint NOT NULL,
  hash bytea NOT NULL
);
INSERT INTO operator_log_head (seq, hash) VALUES (0, decode(repeat('00', 32), 'hex'));

-- Commands that one operator requested and another one has to approve.
CREATE TABLE operator_approvals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  requested_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  requested_by bigint NOT NULL REFERENCES operators,
  command text NOT NULL,
  arguments jsonb NOT NULL,
  reason text NOT NULL,
  cause text NOT NULL,
  decision text CHECK (decision IN ('approved', 'rejected')),
  decided_at timestamptz,
  decided_by bigint REFERENCES operators,
  CHECK (decided_by <> requested_by OR decision = 'rejected')
);
CREATE INDEX operator_approvals_open ON operator_approvals (expires_at) WHERE decision IS NULL;
CREATE INDEX operator_approvals_requested_by ON operator_approvals (requested_by);
CREATE INDEX operator_approvals_decided_by ON operator_approvals (decided_by);
