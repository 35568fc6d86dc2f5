-- Budgets: how much of each shared resource an account may use. Null means no budget; calls at once then have the
-- default of hold_for_call. The operator changes the defaults, and the budgets of an account.
CREATE TABLE budgets (
  resource text PRIMARY KEY,
  test_most bigint CHECK (test_most >= 0),
  live_most bigint CHECK (live_most >= 0)
);
GRANT SELECT ON budgets TO disca_service;
INSERT INTO budgets (resource, test_most, live_most) VALUES
  ('calls', 3, NULL),
  ('call_minutes', 10, NULL),
  ('recorded_minutes', 60, NULL),
  ('extensions', 10, 5000),
  ('users', 10, 5000),
  ('integrations', 20, 2000),
  ('tokens', 50, 10000),
  ('event_streams', 10, 500);

CREATE TABLE account_budgets (
  account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  resource text NOT NULL,
  most bigint CHECK (most >= 0),
  PRIMARY KEY (account_id, resource)
);
GRANT SELECT ON account_budgets TO disca_service;
-- Accounts that exist keep what they have.
INSERT INTO account_budgets (account_id, resource) SELECT a.id, b.resource FROM accounts a CROSS JOIN budgets b;
