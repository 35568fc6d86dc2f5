-- Returns what a book has spent on calls on the day of `at` in Sao Paulo. The sum is kept in ledger_balances, so a
-- daily cap needs no further query. A call of the day before that is posted late counts for the new day.
CREATE OR REPLACE FUNCTION spent_at(at timestamptz, spent_on date, spent_micros bigint) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN spent_on >= (at AT TIME ZONE 'America/Sao_Paulo')::date THEN spent_micros ELSE 0 END;
REVOKE ALL ON FUNCTION spent_at FROM PUBLIC;
GRANT EXECUTE ON FUNCTION spent_at TO disca_service;
