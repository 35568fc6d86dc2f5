-- The running calls of the account in which a party is on hold.
-- requires: platform/current_account
CREATE OR REPLACE VIEW held_calls WITH (security_invoker = true) AS
  SELECT l.call_id AS id FROM live_calls l WHERE l.account_id = current_account() AND l.on_hold;
GRANT SELECT ON held_calls TO disca_service;
