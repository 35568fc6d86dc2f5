-- Returns the billed seconds of a call of this length: none up to the free seconds, then at least the minimum, in whole
-- steps.
CREATE OR REPLACE FUNCTION billable_seconds(seconds integer, minimum integer, step integer, free integer) RETURNS integer
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE
    WHEN seconds <= free THEN 0
    WHEN seconds <= minimum THEN minimum
    ELSE minimum + (seconds - minimum + step - 1) / step * step END;
REVOKE ALL ON FUNCTION billable_seconds FROM PUBLIC;
GRANT EXECUTE ON FUNCTION billable_seconds TO disca_service;
