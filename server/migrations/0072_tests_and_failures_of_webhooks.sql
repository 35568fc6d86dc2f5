-- Tests of webhooks are listed with the deliveries: a sample event that was sent once, on request. Its event is not in
-- the log.
ALTER TABLE deliveries ADD COLUMN is_test boolean NOT NULL DEFAULT false;

-- Failed attempts are few. They lead to the deliveries that failed, without reading those that did not. An index that a
-- partition already has, with the same columns, is used instead of building it (docs/operate/upgrade.md).
CREATE INDEX delivery_attempts_failed ON delivery_attempts (account_id, delivery_id) WHERE outcome <> 'delivered';
