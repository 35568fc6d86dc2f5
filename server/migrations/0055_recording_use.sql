-- What the recordings of each account take up; see the function count_recording.
CREATE TABLE recording_use (
  account_id bigint PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  stored_bytes bigint NOT NULL,
  day date NOT NULL,
  recorded_ms bigint NOT NULL
);
GRANT SELECT ON recording_use TO disca_service;

-- A file that arrives after this and before the trigger of server/sql is installed is not counted.
INSERT INTO recording_use (account_id, stored_bytes, day, recorded_ms)
SELECT r.account_id, coalesce(sum(r.bytes) FILTER (WHERE r.may_have_file), 0),
       (now() AT TIME ZONE 'America/Sao_Paulo')::date,
       coalesce(sum(r.duration_ms) FILTER (WHERE r.stored_at >= date_trunc('day', now(), 'America/Sao_Paulo')), 0)
  FROM recordings r WHERE r.bytes IS NOT NULL GROUP BY r.account_id;

INSERT INTO budgets (resource, test_most, live_most) VALUES ('stored_megabytes', 1000, NULL);
INSERT INTO account_budgets (account_id, resource) SELECT id, 'stored_megabytes' FROM accounts;
