-- Returns the lowest UUIDv7 with this time. A time range is therefore a range of ids, and the id of a row determines
-- its partition.
CREATE OR REPLACE FUNCTION uuid_floor(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid;
