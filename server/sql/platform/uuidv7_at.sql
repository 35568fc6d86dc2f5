-- Returns a random UUIDv7 with this time.
CREATE OR REPLACE FUNCTION uuidv7_at(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE
  RETURN encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    PLACING substring(int8send(floor(extract(epoch FROM at) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid;
REVOKE ALL ON FUNCTION uuidv7_at FROM PUBLIC;
GRANT EXECUTE ON FUNCTION uuidv7_at TO disca_service;
