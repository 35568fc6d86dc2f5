-- The former audit of all transactions of an account in one statement, which release 0.1 runs every morning.
-- requires: billing/call_price_micros
CREATE OR REPLACE FUNCTION audit_ledger(of_account bigint)
  RETURNS TABLE ("check" text, subject text, expected bigint, found bigint)
  LANGUAGE sql STABLE
BEGIN ATOMIC
  WITH transactions AS (
    -- Transactions in order, with running balances.
    SELECT t.id, t.book, t.number, t.kind, t.subject_id, t.available_micros, t.held_micros, t.revenue_micros,
           t.balance_after_micros,
           t.available_micros + t.held_micros + t.revenue_micros + t.gateway_micros + t.adjustments_micros AS legs,
           sum(t.available_micros) OVER in_order::bigint AS available_after,
           sum(t.available_micros + t.held_micros) OVER in_order::bigint AS balance_after
      FROM ledger_transactions t WHERE t.account_id = of_account
    WINDOW in_order AS (PARTITION BY t.book ORDER BY t.number)
  ), sums AS (
    -- Balances recomputed per book.
    SELECT t.book, sum(t.available_micros)::bigint AS available, sum(t.held_micros)::bigint AS held,
           count(*) AS transactions, max(t.number) AS newest
      FROM transactions t GROUP BY t.book
  ), holds AS (
    -- Holds, with billable seconds recomputed.
    SELECT h.*, CASE
        WHEN h.state = 'expired' OR h.used_seconds <= h.free_seconds THEN 0
        WHEN h.used_seconds <= h.minimum_seconds THEN least(h.minimum_seconds, h.funded_seconds)
        ELSE least(h.funded_seconds, h.minimum_seconds
          + ceil((h.used_seconds - h.minimum_seconds)::numeric / h.step_seconds) * h.step_seconds)
        END::bigint AS billable_seconds
      FROM call_holds h WHERE h.account_id = of_account
  ), open_holds AS (
    SELECT h.book, sum(h.held_micros)::bigint AS held FROM holds h WHERE h.state = 'open' GROUP BY h.book
  ), books AS (
    -- Stored against recomputed balances.
    SELECT coalesce(b.book, s.book, o.book) AS book,
           coalesce(b.available_micros, 0) AS available, coalesce(b.held_micros, 0) AS held,
           coalesce(b.last_number, 0) AS last_number,
           coalesce(s.available, 0) AS available_sum, coalesce(s.held, 0) AS held_sum,
           coalesce(s.transactions, 0) AS transactions, coalesce(s.newest, 0) AS newest,
           coalesce(o.held, 0) AS held_by_calls
      FROM (SELECT l.book, l.available_micros, l.held_micros, l.last_number
              FROM ledger_balances l WHERE l.account_id = of_account) b
      FULL JOIN sums s ON s.book = b.book
      FULL JOIN open_holds o ON o.book = coalesce(b.book, s.book)
  ), calls AS (
    -- Ledger entries per call.
    SELECT t.subject_id, sum(t.held_micros)::bigint AS held, sum(t.revenue_micros)::bigint AS revenue,
           count(*) AS entries
      FROM transactions t WHERE t.kind IN ('hold', 'release', 'call') GROUP BY t.subject_id
  ), priced AS (
    -- Holds against the entries of their calls.
    SELECT coalesce(h.call_id::text, c.subject_id) AS call, h.call_id IS NULL AS is_unknown, c.entries,
           coalesce(h.held_micros, 0) AS held, coalesce(c.held, 0) AS held_sum,
           coalesce(h.price_micros, 0) AS price, coalesce(c.revenue, 0) AS revenue
      FROM holds h FULL JOIN calls c ON c.subject_id = h.call_id::text
  )
  SELECT 'available balance', book, available_sum, available FROM books WHERE available_sum <> available
  UNION ALL
  SELECT 'held balance', book, held_sum, held FROM books WHERE held_sum <> held
  UNION ALL
  SELECT 'held by open calls', book, held_by_calls, held FROM books WHERE held_by_calls <> held
  UNION ALL
  SELECT 'number of transactions', book, last_number, transactions FROM books WHERE transactions <> last_number
  UNION ALL
  SELECT 'number of the newest transaction', book, last_number, newest FROM books WHERE newest <> last_number
  UNION ALL
  SELECT 'legs of a transaction', id::text, 0, legs FROM transactions WHERE legs <> 0
  UNION ALL
  SELECT 'balance after a transaction', id::text, balance_after, balance_after_micros
    FROM transactions WHERE balance_after <> balance_after_micros
  UNION ALL
  SELECT 'available credit after a hold', id::text, 0, available_after
    FROM transactions WHERE kind = 'hold' AND available_after < 0
  UNION ALL
  SELECT 'entries of a call', call, held, held_sum FROM priced WHERE held <> held_sum
  UNION ALL
  SELECT 'entries of an unknown call', call, 0, entries FROM priced WHERE is_unknown
  UNION ALL
  SELECT 'price of a call', call, price, revenue FROM priced WHERE price <> revenue
  UNION ALL
  SELECT 'funding of a call', call_id::text, call_price_micros(funded_seconds, price_per_minute_micros), held_micros
    FROM holds WHERE state = 'open' AND held_micros <> call_price_micros(funded_seconds, price_per_minute_micros)
  UNION ALL
  SELECT 'billed seconds of a call', call_id::text, billable_seconds, billed_seconds
    FROM holds WHERE state <> 'open' AND billed_seconds IS DISTINCT FROM billable_seconds
  UNION ALL
  SELECT 'rating of a call', call_id::text, call_price_micros(billed_seconds, price_per_minute_micros), price_micros
    FROM holds
   WHERE state <> 'open' AND price_micros IS DISTINCT FROM call_price_micros(billed_seconds, price_per_minute_micros)
  ORDER BY 1, 2;
END;
REVOKE ALL ON FUNCTION audit_ledger FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_ledger TO disca_service;
