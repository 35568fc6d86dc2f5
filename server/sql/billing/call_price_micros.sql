-- Returns the price of a duration, rounded half to even to R$ 0.0001 (100 micros).
CREATE OR REPLACE FUNCTION call_price_micros(seconds bigint, per_minute_micros bigint) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN 100 * (seconds * per_minute_micros / 6000 + CASE
    WHEN seconds * per_minute_micros % 6000 > 3000 THEN 1
    WHEN seconds * per_minute_micros % 6000 = 3000 THEN seconds * per_minute_micros / 6000 % 2
    ELSE 0 END);
REVOKE ALL ON FUNCTION call_price_micros FROM PUBLIC;
GRANT EXECUTE ON FUNCTION call_price_micros TO disca_service, disca_operator;
