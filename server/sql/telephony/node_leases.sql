-- The columns of media nodes that call control may read: the lease holder, when the node was last seen, whether it can be
-- chosen for new calls, and whether its running calls can be controlled.
CREATE OR REPLACE VIEW node_leases WITH (security_invoker = true) AS
  SELECT n.name, n.epoch, n.state, n.last_seen_at, n.silent_since,
         n.connected AND n.state = 'active' AND coalesce(n.free_slots, 0) > 0 AS accepts_calls,
         n.controls_calls
    FROM media_nodes n;
GRANT SELECT ON node_leases TO disca_service;
