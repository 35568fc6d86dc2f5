-- Claims a leg for dialling and sets its channel. Returns false if it was claimed before, should no longer be dialled, waited
-- too long, or if its call is being ended, and to a controller whose lease of the node has been fenced. A claimed leg is
-- never dialled again.
CREATE OR REPLACE FUNCTION claim_leg(node_name text, node_epoch bigint, leg uuid, created_after timestamptz, at timestamptz)
  RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  UPDATE live_legs g SET state = 'dialling', dialled_at = at, engine_leg = g.call_id || '.' || g.letter
   WHERE g.id = leg AND g.node = node_name AND g.state = 'pending' AND g.wanted <> 'leave' AND g.created_at > created_after
     AND EXISTS (SELECT FROM node_leases n WHERE n.name = node_name AND n.epoch = node_epoch)
     AND EXISTS (SELECT FROM live_calls l WHERE l.call_id = g.call_id AND l.hangup_asked_at IS NULL AND l.engine_lost_at IS NULL);
  RETURN FOUND;
END
$$;
REVOKE ALL ON FUNCTION claim_leg FROM PUBLIC;
GRANT EXECUTE ON FUNCTION claim_leg TO disca_service;
