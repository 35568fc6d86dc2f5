-- Writes what a command wants of the legs of a call: hold, unhold, mute or unmute; transfer and conference, which add a
-- party; complete or cancel, which end a transfer. The first command also writes the legs a and b. A command that is
-- repeated changes nothing; transfer and conference are repeated by their idempotency key. The acting leg is that of the
-- extension, and of the calling one in an internal call, unless `by` names another. Outcomes besides "accepted":
--   "ended"         the call has ended or is being ended, or the acting party has left it
--   "not_answered"  the call is not answered, or has no two parties, or the party to complete the transfer with has not
--                   answered
--   "transferring"  a transfer is in progress
--   "no_transfer"   there is no transfer to complete or cancel
--   "parties"       the call has as many parties as it can have
--   "unavailable"   the node of the call cannot control calls
--   those of add_leg
-- Locks the live call, its legs in the order of their letters, then the balance. Runs with the rights of the service, which
-- sees only calls of its account.
-- requires: calls/add_leg, calls/note_transfer, calls/shown_legs
CREATE OR REPLACE FUNCTION command_call(
  of_account bigint, request jsonb, OUT outcome text, OUT node text, OUT on_hold boolean, OUT is_done boolean, OUT legs jsonb,
  OUT book text, OUT bina text, OUT available_micros bigint, OUT became_low boolean, OUT calls_per_second integer
)
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  r record;
  live live_calls;
  written calls;
  acting text;
  transfer live_legs;
  party record;
  others text;
  is_repeated boolean := false;
  max_parties CONSTANT integer := 8;
BEGIN
  SELECT * INTO r FROM jsonb_to_record(request) AS r (
    call_id uuid, command text, by text, at timestamptz, leg_a uuid, leg_b uuid, purpose text);
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
    SELECT g.* INTO transfer FROM live_legs g
     WHERE g.account_id = of_account AND g.call_id = r.call_id AND g.added_by = acting AND g.purpose IN ('blind', 'attended')
     ORDER BY g.letter DESC LIMIT 1;
    is_repeated := coalesce(
      r.command = 'complete' AND transfer.result = 'completed' OR r.command = 'cancel' AND transfer.result = 'cancelled', false);
    IF NOT is_repeated AND NOT EXISTS (
        SELECT FROM live_legs g
         WHERE g.account_id = of_account AND g.call_id = r.call_id AND g.letter = acting AND g.state = 'answered'
           AND g.wanted <> 'leave') THEN
      outcome := 'ended';
      RETURN;
    END IF;
    SELECT string_agg(g.letter, '' ORDER BY g.letter) INTO others FROM live_legs g
     WHERE g.account_id = of_account AND g.call_id = r.call_id AND g.letter <> acting AND g.state = 'answered'
       AND g.wanted <> 'leave';
  ELSE
    others := CASE acting WHEN 'a' THEN 'b' ELSE 'a' END;
  END IF;

  -- A transfer that has failed, or that is completed or cancelled, is in progress no longer.
  IF NOT (coalesce(transfer.is_open, false) AND transfer.state <> 'ended' AND transfer.result IS NULL) THEN
    transfer := NULL;
  END IF;
  IF NOT is_repeated THEN
    outcome := CASE
      WHEN r.command IN ('transfer', 'conference') AND others IS NULL THEN 'ended'
      WHEN r.command IN ('transfer', 'conference') AND EXISTS (
          SELECT FROM live_legs g
           WHERE g.account_id = of_account AND g.call_id = r.call_id AND g.is_open AND g.result IS NULL
             AND g.state <> 'ended' AND g.purpose IN ('blind', 'attended')) THEN 'transferring'
      WHEN r.command = 'cancel' AND transfer.id IS NULL THEN 'no_transfer'
      WHEN r.command = 'complete' AND transfer.purpose IS DISTINCT FROM 'attended' THEN 'no_transfer'
      WHEN r.command = 'complete' AND transfer.state <> 'answered' THEN 'not_answered' END;
    IF outcome IS NOT NULL THEN RETURN; END IF;
    IF r.command IN ('transfer', 'conference') AND live.has_legs AND (
        SELECT count(*) FILTER (WHERE g.state <> 'ended') >= max_parties OR max(g.letter) = 'z' FROM live_legs g
         WHERE g.account_id = of_account AND g.call_id = r.call_id) THEN
      outcome := 'parties';
      RETURN;
    END IF;
  END IF;
  IF NOT EXISTS (SELECT FROM node_leases n WHERE n.name = live.node AND n.controls_calls) THEN
    outcome := 'unavailable';
    RETURN;
  END IF;

  IF r.command IN ('transfer', 'conference') OR NOT live.has_legs THEN
    SELECT c.* INTO written FROM calls c WHERE c.id = r.call_id AND c.account_id = of_account;
  END IF;
  IF r.command IN ('transfer', 'conference') THEN
    SELECT a.* INTO party FROM add_leg(live, written, request, coalesce(
        (SELECT chr(ascii(max(g.letter)) + 1) FROM live_legs g WHERE g.account_id = of_account AND g.call_id = r.call_id), 'c'),
      r.purpose, acting, CASE WHEN r.command = 'transfer' THEN others END) a;
    bina := party.bina;
    calls_per_second := party.calls_per_second;
    IF party.outcome <> 'added' THEN
      outcome := party.outcome;
      RETURN;
    END IF;
    book := party.book;
    available_micros := party.available_micros;
    became_low := party.became_low;
  END IF;
  IF NOT live.has_legs THEN
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

  IF is_repeated THEN
    NULL;
  ELSIF r.command IN ('mute', 'unmute') THEN
    UPDATE live_legs g SET wants_mute = r.command = 'mute'
     WHERE g.account_id = of_account AND g.call_id = r.call_id AND g.letter = acting;
  ELSIF r.command = 'hold' THEN
    UPDATE live_legs g
       SET wanted = CASE WHEN g.letter <> acting THEN 'music' WHEN g.wanted = 'dial' THEN 'room' ELSE g.wanted END
     WHERE g.account_id = of_account AND g.call_id = r.call_id AND g.state = 'answered' AND g.wanted <> 'leave';
  ELSIF r.command = 'unhold' THEN
    -- A party that waits for a transfer stays on hold.
    UPDATE live_legs g SET wanted = 'room'
     WHERE g.account_id = of_account AND g.call_id = r.call_id AND g.letter <> acting AND g.state = 'answered'
       AND g.wanted = 'music' AND strpos(coalesce(transfer.fetches, ''), g.letter) = 0;
  ELSIF r.command = 'transfer' THEN
    UPDATE live_legs g SET wanted = CASE WHEN g.letter = acting THEN 'room' ELSE 'music' END
     WHERE g.account_id = of_account AND g.call_id = r.call_id AND g.state = 'answered' AND g.wanted <> 'leave';
    PERFORM note_transfer(party.added, r.at, 'started', NULL);
  ELSIF r.command = 'conference' THEN
    UPDATE live_legs g SET wanted = 'room'
     WHERE g.account_id = of_account AND g.call_id = r.call_id AND g.state = 'answered'
       AND (g.wanted = 'dial' OR (g.letter = acting AND g.wanted = 'music'));
    PERFORM note_transfer(party.added, r.at, 'started', NULL);
  ELSE
    -- The leg that leaves is that of the transferring party, or the one that it called.
    UPDATE live_legs g
       SET wanted = CASE WHEN g.letter = CASE r.command WHEN 'complete' THEN acting ELSE transfer.letter END THEN 'leave' ELSE 'room' END,
           result = CASE WHEN g.id = transfer.id THEN CASE r.command WHEN 'complete' THEN 'completed' ELSE 'cancelled' END
                         ELSE g.result END
     WHERE g.account_id = of_account AND g.call_id = r.call_id AND g.state <> 'ended' AND g.wanted <> 'leave'
       AND (g.id = transfer.id OR g.letter = acting OR strpos(transfer.fetches, g.letter) > 0);
  END IF;
  outcome := 'accepted';
  node := live.node;
  on_hold := live.on_hold;
  SELECT s.is_done, s.legs INTO is_done, legs FROM shown_legs(of_account, r.call_id) s;
END
$$;
REVOKE ALL ON FUNCTION command_call FROM PUBLIC;
GRANT EXECUTE ON FUNCTION command_call TO disca_service;
