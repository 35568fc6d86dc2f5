-- Counts a code call of the account to a number on a day, and returns the account's calls and those of all accounts of its
-- mode, including this one. A refused request rolls back. Concurrent requests for the same number wait for each other.
-- requires: platform/current_account
CREATE OR REPLACE FUNCTION count_code_call(called text, today date, OUT own integer, OUT total integer)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  account bigint := current_account();
BEGIN
  PERFORM pg_advisory_xact_lock(72114003, hashtext(called));
  INSERT INTO caller_id_calls AS c (account_id, number, day, calls) VALUES (account, called, today, 1)
    ON CONFLICT (account_id, number) DO UPDATE SET
      day = today, calls = CASE WHEN c.day = today THEN c.calls + 1 ELSE 1 END
    RETURNING c.calls INTO own;
  -- Test and live calls are counted apart: a test account, which costs nothing, must not use up the calls of a live one.
  SELECT sum(c.calls) INTO total
    FROM caller_id_calls c
    JOIN account_info a ON a.id = c.account_id
   WHERE c.number = called AND c.day = today
     AND a.mode = (SELECT mine.mode FROM account_info mine WHERE mine.id = account);
END
$$;
REVOKE ALL ON FUNCTION count_code_call FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_code_call TO disca_service;
