-- Writes what a command wants of the legs of a call: hold, unhold, mute or unmute. The first command also writes the legs a
-- and b. A command that is repeated changes nothing. The acting leg is that of the extension, and of the calling one in an
-- internal call, unless `by` names another. Outcomes besides "accepted":
--   "ended"         the call has ended or is being ended, or the acting party has left it
--   "not_answered"  the call is not answered, or has no two parties
--   "unavailable"   the node of the call cannot control calls
-- Locks the live call, then its legs in the order of their letters. Runs with the rights of the service, which sees only
-- calls of its account.
-- requires: calls/shown_legs
CREATE OR REPLACE FUNCTION control_call(
  of_account bigint, request jsonb, OUT outcome text, OUT node text, OUT on_hold boolean, OUT is_done boolean, OUT legs jsonb
)
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  r record;
  live live_calls;
  written calls;
  acting text;
BEGIN
  SELECT * INTO r FROM jsonb_to_record(request) AS r (
    call_id uuid, command text, by text, at timestamptz, leg_a uuid, leg_b uuid);
  SELECT l.* INTO live FROM live_calls l WHERE l.account_id = of_account AND l.call_id = r.call_id FOR UPDATE;
  IF NOT FOUND OR live.hangup_asked_at IS NOT NULL OR live.engine_lost_at IS NOT NULL THEN
    outcome := 'ended';
    RETURN;
  END IF;
  -- A verification call has one leg only.
  IF live.state <> 'answered' OR live.kind = 'code' THEN
    outcome := 'not_answered';
    RETURN;
  END IF;
  acting := coalesce(r."by", CASE WHEN live.kind = 'inbound' THEN 'b' ELSE 'a' END);
  IF live.has_legs THEN
    PERFORM FROM live_legs g WHERE g.account_id = of_account AND g.call_id = r.call_id ORDER BY g.letter FOR UPDATE;
    IF NOT EXISTS (SELECT FROM live_legs g
                    WHERE g.account_id = of_account AND g.call_id = r.call_id AND g.letter = acting
                      AND g.state = 'answered' AND g.wanted <> 'leave') THEN
      outcome := 'ended';
      RETURN;
    END IF;
  END IF;
  IF NOT EXISTS (SELECT FROM node_leases n WHERE n.name = live.node AND n.controls_calls) THEN
    outcome := 'unavailable';
    RETURN;
  END IF;

  IF NOT live.has_legs THEN
    SELECT c.* INTO written FROM calls c WHERE c.id = r.call_id AND c.account_id = of_account;
    INSERT INTO live_legs (id, account_id, call_id, node, letter, role, number, extension_id, state, place, wanted,
        engine_leg, created_at, answered_on_node, answered_at)
      SELECT s.id, of_account, r.call_id, live.node, s.letter, s.role, s.number, s.extension_id, 'answered', 'dial', 'dial',
             s.engine_leg, r.at, live.answered_on_node, live.answered_at
        FROM (VALUES
          (r.leg_a, 'a', CASE WHEN live.kind = 'inbound' THEN 'destination' ELSE 'extension' END, written."from",
           CASE WHEN live.kind <> 'inbound' THEN written.extension_id END,
           coalesce(live.order_data ->> 'leg', r.call_id || '.a')),
          (r.leg_b, 'b', CASE WHEN live.kind = 'inbound' THEN 'extension' ELSE 'destination' END,
           CASE WHEN live.kind = 'inbound' THEN live.order_data ->> 'ramal' ELSE written."to" END,
           CASE WHEN live.kind = 'inbound' THEN written.extension_id END, NULL)
        ) AS s (id, letter, role, number, extension_id, engine_leg);
    UPDATE live_calls l SET has_legs = true WHERE l.account_id = of_account AND l.call_id = r.call_id;
  END IF;

  IF r.command IN ('mute', 'unmute') THEN
    UPDATE live_legs g SET wants_mute = r.command = 'mute'
     WHERE g.account_id = of_account AND g.call_id = r.call_id AND g.letter = acting;
  ELSIF r.command = 'hold' THEN
    UPDATE live_legs g
       SET wanted = CASE WHEN g.letter <> acting THEN 'music' WHEN g.wanted = 'dial' THEN 'room' ELSE g.wanted END
     WHERE g.account_id = of_account AND g.call_id = r.call_id AND g.state = 'answered' AND g.wanted <> 'leave';
  ELSE
    UPDATE live_legs g SET wanted = 'room'
     WHERE g.account_id = of_account AND g.call_id = r.call_id AND g.letter <> acting AND g.state = 'answered'
       AND g.wanted = 'music';
  END IF;
  outcome := 'accepted';
  node := live.node;
  on_hold := live.on_hold;
  SELECT s.is_done, s.legs INTO is_done, legs FROM shown_legs(of_account, r.call_id) s;
END
$$;
REVOKE ALL ON FUNCTION control_call FROM PUBLIC;
GRANT EXECUTE ON FUNCTION control_call TO disca_service;
