-- With the HA1 of an extension a phone can log in, so that a stolen backup was enough to place calls; recordings were
-- stored as they are. HA1s are now sealed with a key that api and edges have, and the files of recordings are encrypted
-- with a key of their account, which is sealed with the key ring.
--
-- `ha1` is written only while an edge runs that has no key (see the function digest_use), such as one of the previous
-- release. Whether a password has changed is seen from its version, because a new key changes the sealed text as well.
ALTER TABLE extensions
  ALTER COLUMN ha1 DROP NOT NULL,
  ADD COLUMN ha1_sealed text CHECK (ha1_sealed ~ '^[a-z0-9]{1,16}[.][A-Za-z0-9+/]+={0,2}$'),
  ADD COLUMN digest_version integer NOT NULL DEFAULT 1,
  ADD CONSTRAINT extensions_digest CHECK (num_nonnulls(ha1, ha1_sealed) > 0);

ALTER TABLE phone_sessions
  ALTER COLUMN ha1 DROP NOT NULL,
  ADD COLUMN ha1_sealed text CHECK (ha1_sealed ~ '^[a-z0-9]{1,16}[.][A-Za-z0-9+/]+={0,2}$'),
  ADD CONSTRAINT phone_sessions_digest CHECK (num_nonnulls(ha1, ha1_sealed) > 0);

-- The ids of the keys that an edge has, separated by commas; null if it has none, as one of the previous release.
ALTER TABLE edge.edges ADD COLUMN digest_keys text;

-- Until when HA1s are also written as they are, because the operator goes back to the previous release. At most one row.
CREATE TABLE edge.plain_digests (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  until timestamptz NOT NULL
);

CREATE TABLE recording_keys (
  account_id bigint PRIMARY KEY REFERENCES accounts ON DELETE CASCADE,
  key_sealed text NOT NULL,
  created_at timestamptz(3) NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON recording_keys TO disca_service;

-- The file from before the encryption, until it is deleted.
ALTER TABLE recordings ADD COLUMN plain_key text;
CREATE INDEX recordings_unencrypted ON recordings (call_id) WHERE state = 'stored' AND object_key LIKE '%.wav';
CREATE INDEX recordings_plain_files ON recordings (call_id) WHERE plain_key IS NOT NULL;
