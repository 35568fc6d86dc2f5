-- Returns the start of the quarter-hour. Hours and days of every time zone consist of whole quarter-hours.
CREATE OR REPLACE FUNCTION quarter_of(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN date_bin('15 minutes', at, timestamptz '2000-01-01 00:00:00+00');
REVOKE ALL ON FUNCTION quarter_of FROM PUBLIC;
