-- Names and deals of the numbers with which an account has calls: written by people, imported, or read from the metadata
-- of calls. `words` is what a search compares: folded, with one space before each word.
CREATE TABLE contacts (
  account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  id uuid NOT NULL,
  number text NOT NULL,
  name text,
  deal text,
  source text NOT NULL CHECK (source IN ('metadata', 'import', 'manual')),
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  words text NOT NULL GENERATED ALWAYS AS (
    regexp_replace(
      lower(regexp_replace(normalize(' ' || coalesce(name, '') || ' ' || coalesce(deal, ''), NFD), '[\u0300-\u036f]', '', 'g')),
      '[^[:alnum:]]+', ' ', 'g')
  ) STORED,
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, number),
  CHECK (name IS NOT NULL OR deal IS NOT NULL)
);
CREATE INDEX contacts_name ON contacts (account_id, name, id);

GRANT SELECT, INSERT, UPDATE, DELETE ON contacts TO disca_service;

INSERT INTO budgets (resource, test_most, live_most) VALUES ('contacts', 1000, 50000);
