-- What calls come to, so that a summary of a month does not read the calls of a month. Summed by quarters of an hour,
-- because the hours and days of every time zone are made of whole quarters.
CREATE TABLE call_sums (
  account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  starts_at timestamptz(3) NOT NULL,
  book text NOT NULL,
  hangup_cause text NOT NULL COLLATE "C",
  calls bigint NOT NULL CHECK (calls > 0),
  answered bigint NOT NULL,
  talk_seconds bigint NOT NULL,
  spend_micros bigint NOT NULL,
  -- The regulator counts calls that were placed, and how many of them were over before anything was said.
  outbound bigint NOT NULL,
  short bigint NOT NULL,
  PRIMARY KEY (account_id, starts_at, book, hangup_cause)
);

-- Calls of summed quarters that had not ended when their quarter was summed. Each is added when it has.
CREATE TABLE unsummed_calls (
  account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
  call_id uuid NOT NULL,
  PRIMARY KEY (account_id, call_id)
);

-- The first moment that has not been summed, of all accounts together; empty before the first sum.
CREATE TABLE calls_summed (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  until timestamptz(3)
);
INSERT INTO calls_summed DEFAULT VALUES;

ALTER TABLE call_sums ENABLE ROW LEVEL SECURITY;
ALTER TABLE unsummed_calls ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON call_sums TO disca_service USING (account_id = current_account());
CREATE POLICY own_account ON unsummed_calls TO disca_service USING (account_id = current_account());
GRANT SELECT ON call_sums, unsummed_calls, calls_summed TO disca_service;

CREATE FUNCTION quarter_of(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN date_bin('15 minutes', at, timestamptz '2000-01-01 00:00:00+00');

-- Sums at most a day more, up to the quarter in which `before` lies, and adds what has ended since. Returns up to when
-- everything is summed, or null if that is no further than before.
CREATE FUNCTION sum_calls(before timestamptz) RETURNS timestamptz
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
  -- One statement, and so one moment: a call is either summed or remembered.
  WITH late AS (
    INSERT INTO unsummed_calls
    SELECT c.account_id, c.id FROM calls c WHERE c.id >= first_id AND c.id < end_id AND c.status <> 'ended'
  ), ended AS (
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

-- As before, and what leaves the list leaves the sums.
CREATE OR REPLACE FUNCTION detach_call_months(before date) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '3s'
AS $$
DECLARE
  month record;
  moved integer := 0;
BEGIN
  FOR month IN
    SELECT parent.relname AS parent, child.relname AS child
      FROM pg_inherits i
      JOIN pg_class parent ON parent.oid = i.inhparent
      JOIN pg_class child ON child.oid = i.inhrelid
     WHERE i.inhparent IN ('public.calls'::regclass, 'public.call_pairs'::regclass)
       AND child.relname ~ '_[0-9]{4}_[0-9]{2}$'
       AND to_date(right(child.relname, 7), 'YYYY_MM') + interval '1 month' <= before
  LOOP
    EXECUTE format('ALTER TABLE public.%I DETACH PARTITION public.%I', month.parent, month.child);
    EXECUTE format('ALTER TABLE public.%I SET SCHEMA archive', month.child);
    moved := moved + 1;
  END LOOP;
  -- The dialer's ids lead to calls that nobody can ask for any more.
  DELETE FROM dialer_calls d WHERE d.created_at < before;
  IF moved > 0 THEN
    DELETE FROM call_counts c WHERE c.day < date_trunc('month', before);
    DELETE FROM call_sums s WHERE s.starts_at < before::timestamp AT TIME ZONE 'UTC';
    DELETE FROM unsummed_calls u WHERE u.call_id < uuid_floor(before::timestamp AT TIME ZONE 'UTC');
  END IF;
  RETURN moved;
END
$$;

REVOKE ALL ON FUNCTION quarter_of, sum_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sum_calls TO disca_service;
