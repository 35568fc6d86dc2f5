-- Calls. The record of a call lives in `calls`, by month; what a running call needs besides lives in `live_calls`,
-- which is small and hot and has one row for every call that has not ended.

-- The lowest UUIDv7 of a moment: a range of time is a range of ids, so an id alone finds its partition.
CREATE FUNCTION uuid_floor(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  RETURN (lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid;

-- Media nodes are the operator's. A node connects to a voice process, and that connection is the lease: each new one
-- raises the epoch, and whoever wrote under an older epoch has nothing to say any more.
CREATE TABLE media_nodes (
  name text PRIMARY KEY CHECK (name ~ '^[a-z0-9][a-z0-9-]{0,30}$'),
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  -- Where the edge finds it, and from where the edge believes it.
  sip_address text NOT NULL UNIQUE,
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'draining')),
  epoch bigint NOT NULL DEFAULT 0,
  connected boolean NOT NULL DEFAULT false,
  -- When the engine itself started, by its own clock: another value is another life, and the calls of the last are over.
  engine_started_at text,
  engine_version text,
  last_seen_at timestamptz(3),
  -- When somebody first noticed that it had not been seen for long. After an outage of the database nobody has been
  -- seen, so a node is lost only if it is still silent a while after this.
  silent_since timestamptz(3),
  clock_skew_ms integer,
  -- Every detail record that was written before this moment has arrived.
  records_complete_at timestamptz(3),
  created_at timestamptz(3) NOT NULL
);
-- Which nodes there are, and where the edge believes them, only the operator changes.
GRANT SELECT, UPDATE (epoch, connected, engine_started_at, engine_version, last_seen_at, silent_since, clock_skew_ms,
  records_complete_at) ON media_nodes TO disca_service;

CREATE TABLE calls (
  id uuid PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts,
  domain text NOT NULL,
  book text NOT NULL CHECK (book IN ('test', 'live')),
  call_type text NOT NULL CHECK (call_type IN ('outbound', 'inbound', 'internal')),
  status text NOT NULL CHECK (status IN ('queued', 'ringing', 'dialing', 'answered', 'ended')),
  started_at timestamptz(3) NOT NULL,
  answered_at timestamptz(3),
  ended_at timestamptz(3),
  -- Texts that are sought by prefix have the collation "C", in which an index knows prefixes; the number is also kept
  -- backwards, for those who know only its end.
  "from" text NOT NULL COLLATE "C",
  "to" text NOT NULL COLLATE "C",
  to_reversed text COLLATE "C" GENERATED ALWAYS AS (reverse("to")) STORED,
  -- The people are kept by value: a call outlives its extension and its user.
  extension_id bigint,
  user_id bigint,
  requested_by bigint,
  email text NOT NULL COLLATE "C",
  first_name text NOT NULL,
  last_name text NOT NULL,
  bina text,
  -- The number to show; without one it is the trunk's own.
  caller_id text,
  recorded boolean NOT NULL,
  duration integer NOT NULL DEFAULT 0 CHECK (duration >= 0),
  billed_duration integer,
  hangup_cause text,
  ended_by text CHECK (ended_by IN ('extension', 'destination', 'system')),
  minute_price_micros bigint,
  call_price_micros bigint,
  -- For filters: the equality of a numeric is not leak-proof, and row-level security would keep it from an index.
  minute_price double precision GENERATED ALWAYS AS (minute_price_micros / 1000000::double precision) STORED,
  call_price double precision GENERATED ALWAYS AS (call_price_micros / 1000000::double precision) STORED,
  node text,
  metadata jsonb NOT NULL,
  timeline jsonb NOT NULL,
  CHECK ((status = 'ended') = (ended_at IS NOT NULL)),
  CHECK (answered_at IS NOT NULL OR duration = 0)
) PARTITION BY RANGE (id);
CREATE INDEX calls_newest ON calls (account_id, id);
CREATE INDEX calls_to ON calls (account_id, "to", id);
CREATE INDEX calls_to_reversed ON calls (account_id, to_reversed);
CREATE INDEX calls_from ON calls (account_id, "from", id);
CREATE INDEX calls_email ON calls (account_id, email, id);

-- One row for each top-level pair of a call's metadata, hashed: an index that row-level security lets be used.
CREATE TABLE call_pairs (
  account_id bigint NOT NULL,
  pair bigint NOT NULL,
  id uuid NOT NULL,
  PRIMARY KEY (account_id, pair, id)
) PARTITION BY RANGE (id);

-- Months are made ahead by a job. Should it fail for that long, the default partitions take what comes.
CREATE TABLE calls_default PARTITION OF calls DEFAULT;
CREATE TABLE call_pairs_default PARTITION OF call_pairs DEFAULT;

-- Makes what is missing of the months from `first` to `last`; only the owner may make tables, so it runs as the owner.
CREATE FUNCTION make_call_months(first date, last date) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  month timestamptz;
  made integer := 0;
  base text;
  child text;
BEGIN
  FOR month IN SELECT generate_series(date_trunc('month', first), date_trunc('month', last), '1 month') AT TIME ZONE 'UTC'
  LOOP
    FOREACH base IN ARRAY ARRAY['calls', 'call_pairs'] LOOP
      child := format('%s_%s', base, to_char(month AT TIME ZONE 'UTC', 'YYYY_MM'));
      CONTINUE WHEN to_regclass('public.' || child) IS NOT NULL;
      EXECUTE format('CREATE TABLE public.%I PARTITION OF public.%I FOR VALUES FROM (%L) TO (%L)', child, base,
        public.uuid_floor(month), public.uuid_floor((month AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC'));
      made := made + 1;
    END LOOP;
  END LOOP;
  RETURN made;
END
$$;
SELECT make_call_months(current_date - 31, current_date + 92);

CREATE TABLE live_calls (
  call_id uuid PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts,
  book text NOT NULL CHECK (book IN ('test', 'live')),
  -- A click rings an extension and then its destination; a code is spoken to its destination alone.
  kind text NOT NULL CHECK (kind IN ('click', 'code')),
  state text NOT NULL CHECK (state IN ('queued', 'ringing', 'dialing', 'answered')),
  requested_at timestamptz(3) NOT NULL,
  -- What is needed to dial, as it was when the call was asked for.
  order_data jsonb NOT NULL,
  -- Whose it is. Set once, before the engine is asked: a call with a node is never dialled again.
  node text REFERENCES media_nodes,
  claimed_at timestamptz(3),
  funded_seconds integer NOT NULL,
  -- By the node's own clock, in seconds: a duration is a difference on one clock.
  answered_on_node double precision,
  answered_at timestamptz(3),
  -- When more time has to be bought; empty while nobody talks, and when the credit buys no more.
  renew_at timestamptz(3),
  hangup_asked_at timestamptz(3),
  -- Its engine was started anew: the call is over, and was last known alive then, whoever looks at it later.
  engine_lost_at timestamptz(3),
  -- The number of the call's newest event.
  sequence integer NOT NULL DEFAULT 0
) WITH (fillfactor = 70);
CREATE INDEX live_calls_waiting ON live_calls (call_id) WHERE node IS NULL;
CREATE INDEX live_calls_node ON live_calls (node);
CREATE INDEX live_calls_account ON live_calls (account_id);
CREATE INDEX live_calls_hangups ON live_calls (node) WHERE hangup_asked_at IS NOT NULL;

-- The ids that the deprecated dialer answered: not a call's id, yet good for ending it.
CREATE TABLE dialer_calls (
  id uuid PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts,
  call_id uuid NOT NULL,
  created_at timestamptz(3) NOT NULL
);

CREATE INDEX dialer_calls_account ON dialer_calls (account_id);

ALTER TABLE calls ENABLE ROW LEVEL SECURITY;
ALTER TABLE call_pairs ENABLE ROW LEVEL SECURITY;
ALTER TABLE live_calls ENABLE ROW LEVEL SECURITY;
ALTER TABLE dialer_calls ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON calls TO disca_service USING (account_id = current_account());
CREATE POLICY own_account ON call_pairs TO disca_service USING (account_id = current_account());
CREATE POLICY own_account ON live_calls TO disca_service USING (account_id = current_account());
CREATE POLICY own_account ON dialer_calls TO disca_service USING (account_id = current_account());
GRANT SELECT, INSERT, UPDATE ON calls TO disca_service;
GRANT SELECT, INSERT, DELETE ON call_pairs TO disca_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON live_calls TO disca_service;
GRANT SELECT, INSERT, DELETE ON dialer_calls TO disca_service;

-- The questions call control asks across accounts. Each names its node and epoch, and a fenced owner gets nothing.
CREATE FUNCTION claim_calls(node_name text, node_epoch bigint, asked_after timestamptz, at timestamptz, most integer)
  RETURNS SETOF live_calls
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  RETURN QUERY
    UPDATE live_calls l SET node = node_name, claimed_at = at
     WHERE l.call_id IN (
       SELECT w.call_id FROM live_calls w
        WHERE w.node IS NULL AND w.requested_at > asked_after AND w.hangup_asked_at IS NULL
          AND EXISTS (SELECT FROM accounts a WHERE a.id = w.account_id AND a.status = 'active')
        ORDER BY w.call_id LIMIT most FOR UPDATE SKIP LOCKED)
       AND EXISTS (SELECT FROM media_nodes n
                    WHERE n.name = node_name AND n.epoch = node_epoch AND n.state = 'active')
    RETURNING l.*;
END
$$;

CREATE FUNCTION calls_of_node(node_name text) RETURNS SETOF live_calls
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$ BEGIN RETURN QUERY SELECT * FROM live_calls l WHERE l.node = node_name; END $$;

-- What an event tells of its call: as it was at that moment, whatever happens to it later.
CREATE FUNCTION call_snapshot(c calls) RETURNS jsonb LANGUAGE sql STABLE
  RETURN jsonb_build_object('id', c.id, 'domain', c.domain, 'call_type', c.call_type, 'status', c.status,
    'from', c."from", 'to', c."to", 'user_id', c.user_id, 'started_at', c.started_at, 'answered_at', c.answered_at,
    'ended_at', c.ended_at, 'duration', c.duration, 'billed_duration', c.billed_duration,
    'hangup_cause', c.hangup_cause, 'ended_by', c.ended_by, 'recorded', c.recorded,
    'minute_price_micros', c.minute_price_micros, 'call_price_micros', c.call_price_micros, 'metadata', c.metadata);

-- Moves calls of any accounts forward, as their engine told, and answers which were moved: not those that were there
-- already, have ended or are another node's, and none for an owner that is fenced. Everybody who locks several calls does so in this order.
-- One plan serves all: to plan for all months takes longer than to look into the right one.
CREATE FUNCTION move_calls(node_name text, node_epoch bigint, moves jsonb) RETURNS SETOF uuid
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
  SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  move record;
  event_number integer;
  moved calls;
BEGIN
  IF NOT EXISTS (SELECT FROM media_nodes n WHERE n.name = node_name AND n.epoch = node_epoch) THEN
    RETURN;
  END IF;
  FOR move IN
    SELECT * FROM jsonb_to_recordset(moves) AS m (
      call_id uuid, step integer, earlier text[], state text, at timestamptz, moments jsonb, event text, event_id uuid,
      answered_on_node double precision, answered_at timestamptz, renew_at timestamptz)
     ORDER BY m.call_id, m.step
  LOOP
    UPDATE live_calls l
       SET state = move.state, sequence = l.sequence + CASE WHEN move.event IS NULL THEN 0 ELSE 1 END,
           answered_on_node = coalesce(move.answered_on_node, l.answered_on_node),
           answered_at = coalesce(move.answered_at, l.answered_at),
           renew_at = coalesce(move.renew_at, l.renew_at)
     WHERE l.call_id = move.call_id AND l.node = node_name AND l.state = ANY (move.earlier)
    RETURNING l.sequence INTO event_number;
    CONTINUE WHEN NOT FOUND;
    UPDATE calls c
       SET status = move.state, answered_at = coalesce(move.answered_at, c.answered_at),
           timeline = c.timeline || move.moments, node = node_name
     WHERE c.id = move.call_id
    RETURNING c.* INTO moved;
    IF move.event IS NOT NULL THEN
      INSERT INTO events (id, account_id, type, subject_id, data, occurred_at)
        VALUES (move.event_id, moved.account_id, move.event, moved.id::text,
                jsonb_build_object('sequence', event_number, 'call', call_snapshot(moved)), move.at);
    END IF;
    RETURN NEXT move.call_id;
  END LOOP;
END
$$;

-- The record is complete, and the call lives no more; both are told, and so is its price. Runs as whoever asks, who sees
-- only calls of the account.
CREATE FUNCTION finish_call(of_account bigint, finish jsonb) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  told record;
  finished calls;
  event_number integer;
BEGIN
  SELECT * INTO told FROM jsonb_to_record(finish) AS f (
    call_id uuid, answered_at timestamptz, ended_at timestamptz, duration integer, billed_duration integer,
    hangup_cause text, ended_by text, minute_price_micros bigint, call_price_micros bigint, moment jsonb,
    hangup_event uuid, price_event uuid);
  DELETE FROM live_calls l WHERE l.call_id = told.call_id AND l.account_id = of_account
    RETURNING l.sequence INTO event_number;
  UPDATE calls c
     SET status = 'ended', answered_at = told.answered_at, ended_at = told.ended_at, duration = told.duration,
         billed_duration = told.billed_duration, hangup_cause = told.hangup_cause, ended_by = told.ended_by,
         minute_price_micros = told.minute_price_micros, call_price_micros = told.call_price_micros,
         timeline = c.timeline || told.moment
   WHERE c.id = told.call_id AND c.account_id = of_account
  RETURNING c.* INTO finished;
  INSERT INTO events (id, account_id, type, subject_id, data, occurred_at)
    SELECT e.id, of_account, e.type, told.call_id::text,
           jsonb_build_object('sequence', event_number + e.step, 'call', call_snapshot(finished)), told.ended_at
      FROM (VALUES (told.hangup_event, 'channel-hangup', 1), (told.price_event, 'call-priced', 2)) AS e (id, type, step);
END
$$;

-- The engine of a node has a new life; what it had in the last is over.
CREATE FUNCTION lose_calls_of_node(node_name text, alive_at timestamptz) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  UPDATE live_calls l SET engine_lost_at = alive_at WHERE l.node = node_name AND l.engine_lost_at IS NULL;
END
$$;

CREATE FUNCTION hangups_of_node(node_name text) RETURNS SETOF uuid
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  RETURN QUERY SELECT l.call_id FROM live_calls l WHERE l.node = node_name AND l.hangup_asked_at IS NOT NULL;
END
$$;

-- Which of the calls that an engine speaks of have not ended?
CREATE FUNCTION live_among(wanted uuid[]) RETURNS SETOF live_calls
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$ BEGIN RETURN QUERY SELECT * FROM live_calls l WHERE l.call_id = ANY (wanted); END $$;

-- Calls that nobody can follow any more: never taken by a node, or on a node that has not been seen for long.
CREATE FUNCTION forsaken_calls(asked_before timestamptz, seen_before timestamptz, silent_before timestamptz, most integer)
  RETURNS TABLE (call_id uuid, account_id bigint, node text, last_seen_at timestamptz)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT l.call_id, l.account_id, l.node, n.last_seen_at::timestamptz
      FROM live_calls l LEFT JOIN media_nodes n ON n.name = l.node
     WHERE (l.node IS NULL AND l.requested_at <= asked_before)
        OR (n.silent_since <= silent_before AND n.last_seen_at <= seen_before)
     ORDER BY l.call_id LIMIT most;
END
$$;

REVOKE ALL ON FUNCTION make_call_months, claim_calls, calls_of_node, call_snapshot, move_calls, finish_call,
  lose_calls_of_node, hangups_of_node, live_among, forsaken_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_call_months, claim_calls, calls_of_node, call_snapshot, move_calls, finish_call,
  lose_calls_of_node, hangups_of_node, live_among, forsaken_calls TO disca_service;
