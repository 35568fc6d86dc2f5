-- Webhooks share limits with others at the same host, and an endpoint is proven by its first successful delivery: until
-- then it gets one request at a time. Null hosts are those of processes of the previous release.
ALTER TABLE integrations ADD COLUMN webhook_host text, ADD COLUMN proven_at timestamptz;
UPDATE integrations i
   SET webhook_host = lower(substring(i.webhook_url FROM '(?i)^\s*https?://(?:[^/?#]*@)?(\[[^]]*\]|[^/:?#]+)')),
       proven_at = CASE WHEN EXISTS (
         SELECT FROM deliveries d
          WHERE d.account_id = i.account_id AND d.integration_id = i.id AND d.state = 'delivered') THEN now() END
 WHERE i.webhook_url IS NOT NULL;

-- What an account has used of a daily budget, by UTC day.
CREATE TABLE budget_days (
  account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  resource text NOT NULL,
  day date NOT NULL,
  used bigint NOT NULL CHECK (used >= 0),
  PRIMARY KEY (account_id, resource, day)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON budget_days TO disca_service;

INSERT INTO budgets (resource, test_most, live_most) VALUES
  ('webhook_requests', 20, NULL),
  ('replayed_events', 1000, 500000);
INSERT INTO account_budgets (account_id, resource)
SELECT a.id, b.resource FROM accounts a CROSS JOIN (VALUES ('webhook_requests'), ('replayed_events')) AS b (resource);
