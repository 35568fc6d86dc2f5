-- Keys with which edges sign who calls. Voice accepts the keys of the last days; a key is used from `used_from` on, so
-- that every process has read it by then.
CREATE TABLE edge.identity_keys (
  number integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  key text NOT NULL,
  used_from timestamptz NOT NULL
);
INSERT INTO edge.identity_keys (key, used_from) VALUES (gen_random_uuid()::text || gen_random_uuid(), now());

-- False for edges of the previous release. Unsigned calls are accepted while there is one.
ALTER TABLE edge.edges ADD COLUMN signs boolean NOT NULL DEFAULT false;
