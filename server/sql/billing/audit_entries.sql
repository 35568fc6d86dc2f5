-- Verifies the next `most` transactions of a book after `after_number`, up to `until_number` if it is given. The sums of
-- all earlier transactions are arguments, so a page costs the same however long the ledger is. Returns the position
-- after the page, the calls and charges of its transactions, and every difference. A page that reaches the newest
-- transaction also compares the sums with the stored balance; one statement sees one snapshot, so calls in progress do
-- not appear as differences.
CREATE OR REPLACE FUNCTION audit_entries(
  of_account bigint, of_book text, after_number bigint, available_before bigint, held_before bigint,
  until_number bigint, most integer,
  OUT entries bigint, OUT number bigint, OUT available_micros bigint, OUT held_micros bigint,
  OUT calls text[], OUT charges text[], OUT differences jsonb
)
  LANGUAGE sql STABLE
BEGIN ATOMIC
  WITH page AS MATERIALIZED (
    SELECT t.id, t.number, t.kind, t.subject_id, t.available_micros, t.held_micros, t.balance_after_micros,
           t.available_micros + t.held_micros + t.revenue_micros + t.gateway_micros + t.adjustments_micros AS legs
      FROM ledger_transactions t
     WHERE t.account_id = of_account AND t.book = of_book AND t.number > after_number
       AND t.number <= coalesce(until_number, 9223372036854775807)
     ORDER BY t.number LIMIT most
  ), transactions AS (
    -- Transactions with running balances.
    SELECT p.*, available_before + sum(p.available_micros) OVER in_order::bigint AS available_after,
           available_before + held_before + sum(p.available_micros + p.held_micros) OVER in_order::bigint AS balance_after
      FROM page p
    WINDOW in_order AS (ORDER BY p.number)
  ), sums AS (
    SELECT count(*) AS entries, coalesce(max(p.number), after_number) AS newest,
           available_before + coalesce(sum(p.available_micros), 0)::bigint AS available,
           held_before + coalesce(sum(p.held_micros), 0)::bigint AS held,
           count(*) < most AS is_end
      FROM page p
  ), stored AS (
    SELECT coalesce(max(b.available_micros), 0) AS available, coalesce(max(b.held_micros), 0) AS held,
           coalesce(max(b.last_number), 0) AS last_number
      FROM ledger_balances b WHERE b.account_id = of_account AND b.book = of_book
  ), open_holds AS (
    SELECT coalesce(sum(h.held_micros), 0)::bigint AS held
      FROM call_holds h WHERE h.account_id = of_account AND h.book = of_book AND h.state = 'open'
  ), ends AS (
    -- The end of the page, with the number that it must have. Balances are compared at the end of the book.
    SELECT s.*, CASE WHEN NOT s.is_end THEN s.newest ELSE coalesce(until_number, b.last_number) END AS last_number,
           s.is_end AND until_number IS NULL AS is_newest,
           b.available AS stored_available, b.held AS stored_held, o.held AS held_by_calls
      FROM sums s CROSS JOIN stored b CROSS JOIN open_holds o
  ), found ("check", subject, expected, found) AS (
    SELECT 'available balance', of_book, available, stored_available FROM ends
     WHERE is_newest AND available <> stored_available
    UNION ALL
    SELECT 'held balance', of_book, held, stored_held FROM ends WHERE is_newest AND held <> stored_held
    UNION ALL
    SELECT 'held by open calls', of_book, held_by_calls, stored_held FROM ends
     WHERE is_newest AND held_by_calls <> stored_held
    UNION ALL
    SELECT 'number of transactions', of_book, last_number, after_number + entries FROM ends
     WHERE after_number + entries <> last_number
    UNION ALL
    SELECT 'number of the newest transaction', of_book, last_number, newest FROM ends WHERE newest <> last_number
    UNION ALL
    SELECT 'legs of a transaction', id::text, 0, legs FROM transactions WHERE legs <> 0
    UNION ALL
    SELECT 'balance after a transaction', id::text, balance_after, balance_after_micros
      FROM transactions WHERE balance_after <> balance_after_micros
    UNION ALL
    SELECT 'available credit after a hold', id::text, 0, available_after
      FROM transactions WHERE kind = 'hold' AND available_after < 0
  )
  SELECT e.entries, e.newest, e.available, e.held,
         ARRAY(SELECT DISTINCT p.subject_id FROM page p WHERE p.kind IN ('hold', 'release', 'call')),
         ARRAY(SELECT DISTINCT p.subject_id FROM page p WHERE p.kind IN ('charge', 'refund', 'chargeback')),
         coalesce((SELECT jsonb_agg(f ORDER BY f."check", f.subject) FROM found f), '[]')
    FROM ends e;
END;
REVOKE ALL ON FUNCTION audit_entries FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_entries TO disca_service, disca_operator;
