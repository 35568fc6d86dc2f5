-- The budget of each account and resource: that of the account, or else the default of its mode. Null means no budget.
-- security_invoker, so that row-level security applies to the reader.
CREATE OR REPLACE VIEW effective_budgets WITH (security_invoker = true) AS
  SELECT a.id AS account_id, d.resource, b.account_id IS NOT NULL AS is_set,
         CASE WHEN b.account_id IS NOT NULL THEN b.most WHEN a.mode = 'test' THEN d.test_most ELSE d.live_most END AS most
    FROM account_info a
   CROSS JOIN budgets d
    LEFT JOIN account_budgets b ON b.account_id = a.id AND b.resource = d.resource;
GRANT SELECT ON effective_budgets TO disca_service, disca_operator;
