-- A test account uses fewer connections to the database than a live one, so that a few of them cannot use all. Existing
-- accounts keep half of the connections of a process.
INSERT INTO budgets (resource, test_most, live_most) VALUES ('database_connections', 3, NULL);
INSERT INTO account_budgets (account_id, resource) SELECT id, 'database_connections' FROM accounts;
