-- What looked like abuse of an account, against its own history. The operator reads and lifts it.
CREATE TABLE abuse_signals (
  id uuid PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  kind text NOT NULL,
  action text NOT NULL CHECK (action IN ('alert', 'suspend')),
  explanation text NOT NULL,
  at timestamptz NOT NULL,
  lifted_at timestamptz
);
CREATE INDEX abuse_signals_account ON abuse_signals (account_id, kind, at);
GRANT SELECT, INSERT, UPDATE (lifted_at) ON abuse_signals TO disca_service;

-- Networks (/24, /48) from which phones of an account have logged in.
CREATE TABLE phone_networks (
  account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  network cidr NOT NULL,
  first_at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, network)
);
GRANT SELECT ON phone_networks TO disca_service;
