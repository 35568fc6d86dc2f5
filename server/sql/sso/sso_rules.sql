-- Whether the users of an account must log in with single sign-on, and who is exempt, for other contexts.
-- security_invoker, so that row-level security applies to the reader.
CREATE OR REPLACE VIEW sso_rules WITH (security_invoker = true) AS
  SELECT s.account_id, s.is_required, s.exempt_user_id FROM single_sign_on s;
GRANT SELECT ON sso_rules TO disca_service, disca_operator;
