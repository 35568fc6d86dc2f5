-- Adds up to one more day to call_sums, up to the quarter-hour that contains `before`, and calls that have ended since.
-- Returns the new end of the summed period, or null if it has not moved.
-- requires: calls/quarter_of, platform/uuid_floor
CREATE OR REPLACE FUNCTION sum_calls(before timestamptz) RETURNS timestamptz
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  since_at timestamptz;
  until_at timestamptz;
  first_id uuid;
  end_id uuid;
BEGIN
  SELECT s.until INTO since_at FROM calls_summed s FOR UPDATE;
  IF since_at IS NULL THEN
    SELECT quarter_of(c.started_at) INTO since_at FROM calls c ORDER BY c.id LIMIT 1;
  END IF;
  IF since_at IS NULL OR since_at > before THEN RETURN NULL; END IF;
  until_at := least(since_at + interval '1 day', quarter_of(before));
  first_id := uuid_floor(since_at);
  end_id := uuid_floor(until_at);
  -- A single statement sees one snapshot, so each call is either summed or kept in unsummed_calls.
  WITH late AS (
    -- Calls of this period that have not ended yet.
    INSERT INTO unsummed_calls
    SELECT c.account_id, c.id FROM calls c WHERE c.id >= first_id AND c.id < end_id AND c.status <> 'ended'
  ), ended AS (
    -- Calls of earlier periods that have ended since.
    DELETE FROM unsummed_calls u USING calls c WHERE c.id = u.call_id AND c.status = 'ended'
    RETURNING c.account_id, c.started_at, c.book, c.hangup_cause, c.answered_at, c.duration, c.call_price_micros, c.call_type
  )
  INSERT INTO call_sums AS s
    SELECT c.account_id, quarter_of(c.started_at), c.book, coalesce(c.hangup_cause, ''), count(*),
           count(c.answered_at), sum(c.duration), coalesce(sum(c.call_price_micros), 0),
           count(*) FILTER (WHERE c.call_type = 'outbound'),
           count(*) FILTER (WHERE c.call_type = 'outbound' AND c.duration <= 6)
      FROM (SELECT * FROM ended
             UNION ALL
            SELECT c.account_id, c.started_at, c.book, c.hangup_cause, c.answered_at, c.duration, c.call_price_micros, c.call_type
              FROM calls c WHERE c.id >= first_id AND c.id < end_id AND c.status = 'ended') c
     GROUP BY 1, 2, 3, 4
    ON CONFLICT (account_id, starts_at, book, hangup_cause) DO UPDATE SET
      calls = s.calls + excluded.calls, answered = s.answered + excluded.answered,
      talk_seconds = s.talk_seconds + excluded.talk_seconds, spend_micros = s.spend_micros + excluded.spend_micros,
      outbound = s.outbound + excluded.outbound, short = s.short + excluded.short;
  IF until_at = since_at THEN RETURN NULL; END IF;
  UPDATE calls_summed SET until = until_at;
  RETURN until_at;
END
$$;
REVOKE ALL ON FUNCTION sum_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sum_calls TO disca_service;
