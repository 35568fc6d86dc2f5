-- Returns the hash of an entry of the operator log: SHA-256 of the previous hash and of the entry's values as a JSON array.
CREATE OR REPLACE FUNCTION operator_log_hash(entry operator_log) RETURNS bytea
  LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp SET timezone = 'UTC'
AS $$
  SELECT sha256(entry.previous || convert_to(jsonb_build_array(
    entry.seq, entry.at, entry.operator, entry.role, entry.command, entry.target, entry.reason, entry.details)::text,
    'UTF8'))
$$;
REVOKE ALL ON FUNCTION operator_log_hash FROM PUBLIC;
GRANT EXECUTE ON FUNCTION operator_log_hash TO disca_operator;
