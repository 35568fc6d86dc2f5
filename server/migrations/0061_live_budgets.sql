-- Budgets of live accounts for what one account could otherwise use up: calls at once, their length, recordings and the
-- TURN relay. Defaults that the operator has set remain. Live accounts that exist keep what they have.
INSERT INTO account_budgets (account_id, resource)
SELECT a.id, b.resource
  FROM accounts a
  JOIN budgets b ON b.live_most IS NULL
   AND b.resource IN ('calls', 'call_minutes', 'recorded_minutes', 'stored_megabytes', 'relay_quotas')
 WHERE a.mode = 'live'
    ON CONFLICT DO NOTHING;
UPDATE budgets b SET live_most = d.most
  FROM (VALUES ('calls', 100), ('call_minutes', 240), ('recorded_minutes', 50000), ('stored_megabytes', 500000),
               ('relay_quotas', 50)) AS d (resource, most)
 WHERE b.resource = d.resource AND b.live_most IS NULL;
