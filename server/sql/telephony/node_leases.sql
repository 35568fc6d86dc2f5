-- The columns of media nodes that call control may read: the lease holder and when the node was last seen.
CREATE OR REPLACE VIEW node_leases WITH (security_invoker = true) AS
  SELECT n.name, n.epoch, n.state, n.last_seen_at, n.silent_since FROM media_nodes n;
GRANT SELECT ON node_leases TO disca_service;
