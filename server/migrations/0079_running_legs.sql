-- Calls can be controlled while they run: parties are put on hold, muted, transferred and added. A call that has had such a
-- command has its legs in live_legs; all other calls have none and are written as before. The legs of a call are deleted
-- with its live call and kept in calls.legs. There is no foreign key to live_calls, because the end of every call would
-- check it.
CREATE TABLE live_legs (
  id uuid PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts,
  call_id uuid NOT NULL,
  -- The node of the call, which never changes once it is claimed.
  node text NOT NULL REFERENCES media_nodes,
  -- a is the first leg, b the one that the engine dialled for it, and later letters are legs that were added.
  letter text NOT NULL CHECK (letter ~ '^[a-z]$'),
  role text NOT NULL CHECK (role IN ('extension', 'destination', 'supervisor')),
  number text NOT NULL,
  extension_id bigint,
  -- What is needed to dial the leg; null for a and b.
  order_data jsonb,
  state text NOT NULL CHECK (state IN ('pending', 'dialling', 'ringing', 'answered', 'ended')),
  -- Where the engine reported the leg, and where it should be. The engine gets the moves from the difference.
  place text NOT NULL CHECK (place IN ('dial', 'none', 'room', 'music', 'leave')),
  wanted text NOT NULL CHECK (wanted IN ('dial', 'none', 'room', 'music', 'leave')),
  is_muted boolean NOT NULL DEFAULT false,
  wants_mute boolean NOT NULL DEFAULT false,
  -- Why the leg was added, the letter of the leg that asked for it, and whether that is still in progress.
  purpose text CHECK (purpose IN ('blind', 'attended', 'conference')),
  added_by text,
  is_open boolean NOT NULL DEFAULT false,
  -- The letter of the leg that this leg fetches when it answers.
  fetches text,
  -- The channel of the leg in the engine; null until voice has read or dialled it.
  engine_leg text,
  created_at timestamptz(3) NOT NULL,
  dialled_at timestamptz(3),
  -- On the node's clock, in seconds. For a and b, the answer of the call.
  answered_on_node double precision,
  answered_at timestamptz(3),
  -- Of a leg with a hold of its own; null for a and b, which have the funding of their call, and for free legs.
  funded_seconds integer,
  renew_at timestamptz(3),
  -- The end of the leg, while others of the call continue.
  ended_on_node double precision,
  ended_at timestamptz(3),
  hangup_cause text,
  ended_by text CHECK (ended_by IN ('extension', 'destination', 'system')),
  duration integer,
  billed_seconds integer,
  minute_price_micros bigint,
  price_micros bigint,
  UNIQUE (call_id, letter)
) WITH (fillfactor = 70);
CREATE INDEX live_legs_node ON live_legs (node);
CREATE INDEX live_legs_account ON live_legs (account_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON live_legs TO disca_service;
GRANT SELECT ON live_legs TO disca_operator;

ALTER TABLE live_calls
  ADD COLUMN on_hold boolean NOT NULL DEFAULT false,
  ADD COLUMN has_legs boolean NOT NULL DEFAULT false;

-- The legs of an ended call that had commands. Null for all others.
ALTER TABLE calls ADD COLUMN legs jsonb;
GRANT UPDATE (legs) ON calls TO disca_operator;

-- Leads from the ledger entries of a leg to its call.
CREATE TABLE leg_calls (
  id uuid PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts,
  call_id uuid NOT NULL
);
CREATE INDEX leg_calls_call ON leg_calls (account_id, call_id);
GRANT SELECT, INSERT, DELETE ON leg_calls TO disca_service;
GRANT SELECT ON leg_calls TO disca_operator;

-- Whether the node's dialplan can control calls. Written by voice when the node connects.
ALTER TABLE media_nodes ADD COLUMN controls_calls boolean NOT NULL DEFAULT false;
GRANT UPDATE (controls_calls) ON media_nodes TO disca_service;
