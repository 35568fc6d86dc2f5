-- Returns the fields of a metadata constraint that a call's metadata does not contain. The result is empty if and only
-- if `metadata @> required`, the condition for delivery.
CREATE OR REPLACE FUNCTION unmet_constraints(metadata jsonb, required jsonb) RETURNS text[]
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN ARRAY(SELECT r.key FROM jsonb_each(required) AS r
                WHERE NOT metadata @> jsonb_build_object(r.key, r.value));
REVOKE ALL ON FUNCTION unmet_constraints FROM PUBLIC;
GRANT EXECUTE ON FUNCTION unmet_constraints TO disca_service;
