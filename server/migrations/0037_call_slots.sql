-- Calls are placed and ended by one statement each. The balance row, which both lock anyway, also counts the account's
-- running calls and the calls started in the newest second, so that one conditional update decides every limit.
ALTER TABLE ledger_balances
  -- Rows of this account and book in live_calls. Kept by the functions that write those rows; the sweep corrects it.
  ADD COLUMN running_calls integer NOT NULL DEFAULT 0,
  -- The second of the newest call, and the calls started in it.
  ADD COLUMN slot_second timestamptz(0),
  ADD COLUMN slots_taken integer NOT NULL DEFAULT 0;
-- Updated twice per call; no index contains the changed columns.
ALTER TABLE ledger_balances SET (fillfactor = 50);

INSERT INTO ledger_balances (account_id, book) SELECT DISTINCT account_id, book FROM live_calls ON CONFLICT DO NOTHING;
UPDATE ledger_balances b SET running_calls = l.calls
  FROM (SELECT account_id, book, count(*) AS calls FROM live_calls GROUP BY account_id, book) l
 WHERE b.account_id = l.account_id AND b.book = l.book;
