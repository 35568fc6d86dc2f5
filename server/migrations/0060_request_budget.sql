-- The other limits of requests are counted per user, extension or address, of which an account may have any number.
-- Existing accounts have no such budget.
INSERT INTO budgets (resource, test_most, live_most) VALUES ('requests', 20, 1000);
INSERT INTO account_budgets (account_id, resource) SELECT id, 'requests' FROM accounts;
