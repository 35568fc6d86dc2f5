-- How strictly the requests of an account are read. A company that moves from another service keeps its client, which
-- may send fields that this service does not have. The previous release reads and writes accounts without the column.
ALTER TABLE accounts
  ADD COLUMN request_handling text NOT NULL DEFAULT 'strict' CHECK (request_handling IN ('strict', 'lenient'));
