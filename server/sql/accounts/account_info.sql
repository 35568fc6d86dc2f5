-- The account data that other contexts may read. security_invoker, so that row-level security applies to the reader.
CREATE OR REPLACE VIEW account_info WITH (security_invoker = true) AS
  SELECT a.id, a.uuid, a.domain, a.name, a.email, a.phone, a.status, a.mode, a.timezone, a.balance_low_threshold_micros,
         a.request_handling, a.created_at, a.media_from_any_address, a.users_see,
         a.second_factor_required, a.address_proved, a.awaits_approval_since
    FROM accounts a;
GRANT SELECT ON account_info TO disca_service, disca_operator;
