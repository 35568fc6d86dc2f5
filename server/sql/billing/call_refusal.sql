-- Returns what refuses a new call, in the documented order, or null. A limit that is null does not apply. "low" is no
-- refusal: the credit would fall below the alert threshold.
CREATE OR REPLACE FUNCTION call_refusal(
  amount bigint, day_spend bigint, max_day_spend bigint, needs_credit boolean, available bigint, is_registered boolean,
  started integer, max_per_second integer, running integer, max_concurrent integer, alert_below bigint
) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE
    WHEN day_spend + amount > max_day_spend THEN 'spend'
    WHEN needs_credit AND available < amount THEN 'credit'
    WHEN NOT is_registered THEN 'registration'
    WHEN started >= max_per_second THEN 'rate'
    WHEN running >= max_concurrent THEN 'concurrency'
    WHEN available >= alert_below AND available - amount < alert_below THEN 'low' END;
REVOKE ALL ON FUNCTION call_refusal FROM PUBLIC;
GRANT EXECUTE ON FUNCTION call_refusal TO disca_service;
