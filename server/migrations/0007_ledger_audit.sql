-- The audit recomputes what is derived from what was written and names every difference. It is a function of the
-- owner because it looks at all accounts at once; it only reads.
CREATE FUNCTION audit_ledger()
  RETURNS TABLE ("check" text, account_id bigint, subject text, expected bigint, found bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
BEGIN ATOMIC
  WITH sums AS (
    SELECT t.account_id, t.book, sum(t.available_micros)::bigint AS available, sum(t.held_micros)::bigint AS held
      FROM ledger_transactions t GROUP BY t.account_id, t.book
  ), open_holds AS (
    SELECT h.account_id, h.book, sum(h.held_micros)::bigint AS held
      FROM call_holds h WHERE h.state = 'open' GROUP BY h.account_id, h.book
  ), calls AS (
    SELECT t.account_id, t.subject_id, sum(t.held_micros)::bigint AS held, sum(t.revenue_micros)::bigint AS revenue
      FROM ledger_transactions t WHERE t.kind IN ('hold', 'release', 'call') GROUP BY t.account_id, t.subject_id
  )
  SELECT 'available balance', b.account_id, b.book, coalesce(s.available, 0), b.available_micros
    FROM ledger_balances b LEFT JOIN sums s USING (account_id, book)
   WHERE coalesce(s.available, 0) <> b.available_micros
  UNION ALL
  SELECT 'held balance', b.account_id, b.book, coalesce(s.held, 0), b.held_micros
    FROM ledger_balances b LEFT JOIN sums s USING (account_id, book)
   WHERE coalesce(s.held, 0) <> b.held_micros
  UNION ALL
  SELECT 'held by open calls', b.account_id, b.book, coalesce(o.held, 0), b.held_micros
    FROM ledger_balances b LEFT JOIN open_holds o USING (account_id, book)
   WHERE coalesce(o.held, 0) <> b.held_micros
  UNION ALL
  SELECT 'entries of a call', h.account_id, h.call_id::text, h.held_micros, coalesce(c.held, 0)
    FROM call_holds h LEFT JOIN calls c ON c.account_id = h.account_id AND c.subject_id = h.call_id::text
   WHERE h.held_micros <> coalesce(c.held, 0)
  UNION ALL
  SELECT 'price of a call', h.account_id, h.call_id::text, coalesce(h.price_micros, 0), coalesce(c.revenue, 0)
    FROM call_holds h LEFT JOIN calls c ON c.account_id = h.account_id AND c.subject_id = h.call_id::text
   WHERE coalesce(h.price_micros, 0) <> coalesce(c.revenue, 0)
  UNION ALL
  SELECT 'transaction without a balance', s.account_id, s.book, s.available, 0
    FROM sums s LEFT JOIN ledger_balances b USING (account_id, book)
   WHERE b.account_id IS NULL
  UNION ALL
  SELECT 'balance after a transaction', t.account_id, t.id::text, t.running, t.balance_after_micros
    FROM (SELECT t.account_id, t.id, t.balance_after_micros,
                 sum(t.available_micros + t.held_micros)
                   OVER (PARTITION BY t.account_id, t.book ORDER BY t.number)::bigint AS running
            FROM ledger_transactions t) t
   WHERE t.running <> t.balance_after_micros
  UNION ALL
  SELECT 'number of transactions', b.account_id, b.book, b.last_number, count(t.id)
    FROM ledger_balances b LEFT JOIN ledger_transactions t USING (account_id, book)
   GROUP BY b.account_id, b.book, b.last_number HAVING count(t.id) <> b.last_number
  ORDER BY 1, 2, 3;
END;
REVOKE ALL ON FUNCTION audit_ledger FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_ledger TO disca_service;
