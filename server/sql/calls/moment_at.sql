-- Returns an entry of a timeline, with the time as the API writes times.
CREATE OR REPLACE FUNCTION moment_at(at timestamptz, what text, more jsonb) RETURNS jsonb
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN jsonb_build_object('at', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'what', what) || more;
REVOKE ALL ON FUNCTION moment_at FROM PUBLIC;
GRANT EXECUTE ON FUNCTION moment_at TO disca_service, disca_operator;
