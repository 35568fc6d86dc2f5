-- The availability of users, for other contexts. security_invoker, so that row-level security applies to the reader.
CREATE OR REPLACE VIEW user_availability WITH (security_invoker = true) AS
  SELECT u.id, u.account_id, u.uuid, u.name, u.availability, u.availability_reason, u.availability_since FROM users u;
GRANT SELECT ON user_availability TO disca_service, disca_operator;
