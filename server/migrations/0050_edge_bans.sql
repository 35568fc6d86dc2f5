-- Bans that all edges apply. `number` orders the changes: an edge reads those after the last one that it has seen.
CREATE SEQUENCE edge.ban_numbers;
CREATE TABLE edge.bans (
  kind text NOT NULL CHECK (kind IN ('address', 'pair', 'extension')),
  key text NOT NULL CHECK (length(key) <= 200),
  until timestamptz NOT NULL,
  edge_id integer NOT NULL,
  number bigint NOT NULL UNIQUE,
  PRIMARY KEY (kind, key)
);
CREATE INDEX bans_expiry ON edge.bans (until);

-- An edge that learns of a banned address loads the phones that are known there.
CREATE INDEX known_phones_address ON edge.known_phones (split_part(key_name, '|', 1));
