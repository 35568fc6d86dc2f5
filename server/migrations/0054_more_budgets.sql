INSERT INTO budgets (resource, test_most, live_most) VALUES
  ('mails', 20, 1000),
  ('code_calls', 5, 100),
  ('exports', 2, 10),
  ('relay_quotas', 3, NULL);
INSERT INTO account_budgets (account_id, resource)
SELECT a.id, b.resource
  FROM accounts a CROSS JOIN (VALUES ('mails'), ('code_calls'), ('exports'), ('relay_quotas')) AS b (resource);
