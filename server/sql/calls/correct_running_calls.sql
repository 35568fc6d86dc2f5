-- Corrects the counters of running calls that differ from live_calls and live_legs and returns how many. Calls from outside
-- are not counted: they take no slot of the account. Further legs to numbers outside, which have a hold, are. A transaction
-- that adds or ends a call or such a leg holds the lock of its balance until commit, so those counted with that lock are
-- exact.
CREATE OR REPLACE FUNCTION correct_running_calls() RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  wrong record;
  corrected integer := 0;
BEGIN
  FOR wrong IN
    SELECT b.account_id, b.book
      FROM ledger_balances b
      LEFT JOIN (SELECT s.account_id, s.book, count(*) AS calls FROM taken_slots s GROUP BY 1, 2) l
        ON l.account_id = b.account_id AND l.book = b.book
     WHERE b.running_calls <> coalesce(l.calls, 0)
     ORDER BY b.account_id, b.book
  LOOP
    PERFORM FROM ledger_balances b WHERE b.account_id = wrong.account_id AND b.book = wrong.book FOR UPDATE;
    UPDATE ledger_balances b SET running_calls = l.calls
      FROM (SELECT count(*) AS calls FROM taken_slots s
             WHERE s.account_id = wrong.account_id AND s.book = wrong.book) l
     WHERE b.account_id = wrong.account_id AND b.book = wrong.book AND b.running_calls <> l.calls;
    IF FOUND THEN corrected := corrected + 1; END IF;
  END LOOP;
  RETURN corrected;
END
$$;
REVOKE ALL ON FUNCTION correct_running_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION correct_running_calls TO disca_service;
