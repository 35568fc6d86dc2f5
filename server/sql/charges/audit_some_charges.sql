-- Compares the amount that charges of an account have credited with their ledger entries, and returns every difference.
-- Verifies the given charges and those created in [since, before); a null time excludes the range.
CREATE OR REPLACE FUNCTION audit_some_charges(
  of_account bigint, of_charges text[], since timestamptz, before timestamptz
)
  RETURNS TABLE ("check" text, subject text, expected bigint, found bigint)
  LANGUAGE sql STABLE
BEGIN ATOMIC
  WITH subjects AS (
    SELECT unnest(of_charges) AS charge
    UNION
    SELECT c.id::text FROM charges c
     WHERE c.account_id = of_account AND c.book IN ('test', 'live') AND c.created_at >= since AND c.created_at < before
  ), chosen AS (
    SELECT c.* FROM subjects s
      JOIN charges c ON c.id = CASE WHEN s.charge ~ '^[0-9]{1,18}$' THEN s.charge::bigint END AND c.account_id = of_account
  ), entries AS (
    SELECT s.charge AS subject_id, e.* FROM subjects s
     CROSS JOIN LATERAL (
       SELECT t.book, sum(t.available_micros)::bigint AS credit, sum(t.revenue_micros)::bigint AS fee,
              count(*) AS entries
         FROM ledger_transactions t
        WHERE t.account_id = of_account AND t.subject_id = s.charge AND t.kind IN ('charge', 'refund', 'chargeback')
        GROUP BY t.book) AS e
  ), credited AS (
    SELECT coalesce(c.id::text, e.subject_id) AS charge, c.id IS NULL AS is_unknown, c.status,
           coalesce(c.credited_micros, 0) AS credit, coalesce(e.credit, 0) AS credit_sum,
           coalesce(c.credited_fee_micros, 0) AS fee, coalesce(e.fee, 0) AS fee_sum,
           coalesce(c.movements, 0) AS movements, coalesce(e.entries, 0) AS entries
      FROM chosen c
      FULL JOIN entries e ON e.subject_id = c.id::text AND e.book = c.book
  )
  SELECT 'entries of an unknown charge', charge, 0::bigint, entries FROM credited WHERE is_unknown
  UNION ALL
  SELECT 'credit of a charge', charge, credit, credit_sum FROM credited WHERE credit <> credit_sum AND NOT is_unknown
  UNION ALL
  SELECT 'fee of a charge', charge, fee, fee_sum FROM credited WHERE fee <> fee_sum AND NOT is_unknown
  UNION ALL
  SELECT 'entries of a charge', charge, movements, entries FROM credited WHERE movements <> entries AND NOT is_unknown
  UNION ALL
  SELECT 'credit of an unpaid charge', charge, 0, credit + fee FROM credited
   WHERE status NOT IN ('CONFIRMED', 'RECEIVED') AND credit + fee <> 0
  ORDER BY 1, 2;
END;
REVOKE ALL ON FUNCTION audit_some_charges FROM PUBLIC;
GRANT EXECUTE ON FUNCTION audit_some_charges TO disca_service, disca_operator;
