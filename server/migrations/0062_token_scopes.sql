-- A stolen token could do everything that its user may, from everywhere. Tokens can be limited to scopes and to
-- addresses. A token without them means what it meant before. Service tokens belong to the account, so that an
-- integration keeps working when the user who set it up leaves: they have a number from the numbers of users, by which
-- requests, calls and charges are counted and attributed. The previous release finds neither limited nor service tokens
-- (see find_caller), so it cannot exceed their limits.
ALTER TABLE access_tokens
  ALTER COLUMN user_id DROP NOT NULL,
  ADD COLUMN scopes text[] CHECK (cardinality(scopes) > 0),
  ADD COLUMN allowed_addresses text[] CHECK (cardinality(allowed_addresses) > 0),
  ADD COLUMN service_id bigint UNIQUE,
  ADD COLUMN service_uuid uuid,
  ADD COLUMN created_by bigint REFERENCES users ON DELETE SET NULL,
  ADD CONSTRAINT access_tokens_owner CHECK ((user_id IS NULL) <> (service_id IS NULL)),
  ADD CONSTRAINT access_tokens_service CHECK (
    service_id IS NULL OR (num_nulls(service_uuid, scopes, name) = 0 AND NOT is_login AND NOT is_console_session));

CREATE UNIQUE INDEX access_tokens_service_prefix ON access_tokens (account_id, prefix) WHERE user_id IS NULL;
CREATE INDEX access_tokens_created_by ON access_tokens (created_by);

GRANT USAGE ON SEQUENCE users_id_seq TO disca_service;
