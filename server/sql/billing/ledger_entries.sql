-- The ledger with one row per leg of a transaction.
CREATE OR REPLACE VIEW ledger_entries WITH (security_invoker = true) AS
  SELECT t.id AS transaction_id, t.account_id, t.book, t.kind, t.subject_id, t.at, leg.ledger, leg.amount_micros
    FROM ledger_transactions t
   CROSS JOIN LATERAL (VALUES
     ('available', t.available_micros), ('held', t.held_micros), ('revenue', t.revenue_micros),
     ('gateway', t.gateway_micros), ('adjustments', t.adjustments_micros)) AS leg (ledger, amount_micros)
   WHERE leg.amount_micros <> 0;
