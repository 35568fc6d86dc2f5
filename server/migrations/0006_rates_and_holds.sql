-- What calls cost. A deck is a whole price list from a date on; the newest one that has begun is in force. Decks are
-- the operator's: the service reads them.
CREATE TABLE rate_decks (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  effective_from timestamptz(3) NOT NULL UNIQUE,
  imported_at timestamptz(3) NOT NULL
);

CREATE TABLE rates (
  deck_id bigint NOT NULL REFERENCES rate_decks ON DELETE CASCADE,
  prefix text NOT NULL CHECK (prefix ~ '^[0-9]{1,15}$'),
  description text NOT NULL,
  -- At most R$ 1,000, so that a day of it is far from what a JavaScript number holds exactly.
  price_per_minute_micros bigint NOT NULL CHECK (price_per_minute_micros BETWEEN 0 AND 1000000000),
  minimum_seconds integer NOT NULL CHECK (minimum_seconds BETWEEN 0 AND 3600),
  step_seconds integer NOT NULL CHECK (step_seconds BETWEEN 1 AND 3600),
  free_seconds integer NOT NULL CHECK (free_seconds BETWEEN 0 AND 3600),
  PRIMARY KEY (deck_id, prefix)
);
GRANT SELECT ON rate_decks, rates TO disca_service;

-- The money side of a call: what it costs, how long it is funded, and in the end what it was charged. The rate is
-- kept by value, so that the price can be explained whatever happens to the deck.
CREATE TABLE call_holds (
  call_id uuid NOT NULL,
  account_id bigint NOT NULL REFERENCES accounts,
  book text NOT NULL CHECK (book IN ('test', 'live')),
  state text NOT NULL CHECK (state IN ('open', 'settled', 'expired')),
  destination text NOT NULL,
  deck_name text NOT NULL,
  prefix text NOT NULL,
  price_per_minute_micros bigint NOT NULL,
  minimum_seconds integer NOT NULL,
  step_seconds integer NOT NULL,
  free_seconds integer NOT NULL,
  funded_seconds integer NOT NULL,
  held_micros bigint NOT NULL CHECK (held_micros >= 0),
  renewals integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  settled_at timestamptz(3),
  used_seconds integer,
  billed_seconds integer CHECK (billed_seconds <= funded_seconds),
  price_micros bigint CHECK (price_micros >= 0),
  PRIMARY KEY (account_id, call_id)
);
CREATE INDEX call_holds_expiry ON call_holds (expires_at) WHERE state = 'open';
CREATE INDEX call_holds_account ON call_holds (account_id, book) WHERE state = 'open';

ALTER TABLE call_holds ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON call_holds TO disca_service USING (account_id = current_account());
GRANT SELECT, INSERT, UPDATE ON call_holds TO disca_service;

-- Which holds has nobody renewed or settled in time? The sweep then expires each in its own account.
CREATE FUNCTION find_expired_holds(at timestamptz, most integer) RETURNS TABLE (account_id bigint, call_id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT h.account_id, h.call_id FROM call_holds h
    WHERE h.state = 'open' AND h.expires_at <= at ORDER BY h.expires_at LIMIT most;
END
$$;
REVOKE ALL ON FUNCTION find_expired_holds FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_expired_holds TO disca_service;
