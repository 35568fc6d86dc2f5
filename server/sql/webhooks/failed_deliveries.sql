-- The deliveries with a failed attempt, whatever their state is now.
-- requires: platform/current_account
CREATE OR REPLACE VIEW failed_deliveries WITH (security_invoker = true) AS
  SELECT DISTINCT a.delivery_id AS id FROM delivery_attempts a
   WHERE a.account_id = current_account() AND a.outcome <> 'delivered';
GRANT SELECT ON failed_deliveries TO disca_service;
