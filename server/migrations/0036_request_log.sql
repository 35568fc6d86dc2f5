-- The request log: integrators see their own refused requests, leniently handled ones and writes without asking the
-- operator to search the logs of the service. Kept for 7 days, so it is partitioned by day and removed by partition.
CREATE TABLE requests (
  -- A UUIDv7 of the time of the response.
  id uuid NOT NULL,
  -- No foreign keys: they would lock accounts and users for every batch, and the rows expire anyway.
  account_id bigint NOT NULL,
  user_uuid uuid NOT NULL,
  at timestamptz(3) NOT NULL,
  method text NOT NULL,
  -- As in the API description, without values; null if no route matched.
  route text,
  status integer NOT NULL,
  error_code text,
  -- Arrays of field names, never values; null if there are none.
  invalid_fields jsonb,
  ignored_fields jsonb,
  request_id text NOT NULL,
  token_name text,
  address text NOT NULL,
  duration_ms integer NOT NULL,
  PRIMARY KEY (account_id, id)
) PARTITION BY RANGE (id);
CREATE INDEX requests_user ON requests (account_id, user_uuid, id);
CREATE INDEX requests_request ON requests (account_id, request_id, id);
CREATE INDEX requests_error ON requests (account_id, error_code, id) WHERE error_code IS NOT NULL;
CREATE TABLE requests_default PARTITION OF requests DEFAULT;

-- Requests of an account per UTC day, including those beyond the limit of stored ones.
CREATE TABLE request_counts (
  account_id bigint NOT NULL,
  day date NOT NULL,
  total bigint NOT NULL,
  PRIMARY KEY (account_id, day)
) WITH (fillfactor = 50);

GRANT SELECT ON requests, request_counts TO disca_service;
