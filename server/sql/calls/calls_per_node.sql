-- The number of live calls of each media node.
CREATE OR REPLACE VIEW calls_per_node WITH (security_invoker = true) AS
  SELECT l.node, count(*) AS calls FROM live_calls l WHERE l.node IS NOT NULL GROUP BY l.node;
GRANT SELECT ON calls_per_node TO disca_service, disca_operator;
