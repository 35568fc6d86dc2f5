-- Sweeps that read every row of a table continue where they were, or read a number that is kept.

-- The daily audit of the ledger continues where the last one ended, instead of reading every row ever written.

-- How far the ledger of a book is verified, and how far the rotation through its old rows has come.
CREATE TABLE ledger_checkpoints (
  account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  book text NOT NULL CHECK (book IN ('test', 'live')),
  -- The newest verified transaction, with the sums of all transactions up to it.
  number bigint NOT NULL,
  available_micros bigint NOT NULL,
  held_micros bigint NOT NULL,
  -- When the calls and charges of the book were last verified up to their newest.
  audited_at timestamptz(3),
  -- The rotation: the last transaction verified again, with the sums up to it, and the same for calls and charges by
  -- the time of their creation. Null: the rotation begins anew.
  rotated_number bigint NOT NULL,
  rotated_available_micros bigint NOT NULL,
  rotated_held_micros bigint NOT NULL,
  rotated_until timestamptz(3),
  PRIMARY KEY (account_id, book)
);
GRANT SELECT, INSERT, UPDATE ON ledger_checkpoints TO disca_service;

-- The number of registrations is kept, instead of counting them for every reading of the metrics.
CREATE TABLE edge.registration_total (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- Rows of edge.location, without the changes that are not added yet. Null until they are first counted.
  registrations bigint
);
INSERT INTO edge.registration_total DEFAULT VALUES;
-- Rows added to and removed from edge.location. Only appended to, so that logins do not wait for each other.
CREATE TABLE edge.registration_changes (change integer NOT NULL);
