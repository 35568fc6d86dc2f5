-- Recordings of calls: one row a recorded call, which says where its file is and for how long it is kept, and who
-- listened to it. The files themselves are in the recording storage.
CREATE TABLE recordings (
  call_id uuid PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts,
  -- `expected` until the media node has sent the file, `absent` when it never did, `removed` when it was kept long enough
  -- or a person's data was erased.
  state text NOT NULL CHECK (state IN ('expected', 'stored', 'absent', 'removed')),
  expected_at timestamptz(3) NOT NULL,
  -- Known before there is a file, so that whatever a crash left behind can be found and removed.
  object_key text NOT NULL,
  node text,
  bytes bigint CHECK (bytes > 0),
  sha256 bytea CHECK (octet_length(sha256) = 32),
  duration_ms bigint CHECK (duration_ms >= 0),
  stored_at timestamptz(3),
  expires_at timestamptz(3),
  removed_at timestamptz(3),
  -- Until the storage has confirmed that there is none, whatever the state says.
  may_have_file boolean NOT NULL DEFAULT true,
  CHECK ((state = 'removed') = (removed_at IS NOT NULL)),
  CHECK (state <> 'stored' OR (bytes IS NOT NULL AND sha256 IS NOT NULL AND stored_at IS NOT NULL AND expires_at IS NOT NULL))
);
CREATE INDEX recordings_account ON recordings (account_id, call_id);
-- The sweeps look only at what still waits for its file, and at files that are still there or may be.
CREATE INDEX recordings_awaited ON recordings (expected_at) WHERE state = 'expected';
CREATE INDEX recordings_expiry ON recordings (expires_at) WHERE may_have_file;

-- Whoever opened a link: from where, when, and which part. A link is a bearer's, so there is no user to name.
CREATE TABLE recording_accesses (
  id uuid PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts,
  call_id uuid NOT NULL,
  at timestamptz(3) NOT NULL,
  address text NOT NULL,
  method text NOT NULL CHECK (method IN ('GET', 'HEAD')),
  outcome text NOT NULL CHECK (outcome IN ('whole', 'part', 'unsatisfiable', 'not-ready')),
  range_start bigint,
  bytes bigint NOT NULL CHECK (bytes >= 0)
);
CREATE INDEX recording_accesses_newest ON recording_accesses (account_id, call_id, at DESC, id DESC);
CREATE INDEX recording_accesses_age ON recording_accesses (at);

ALTER TABLE recordings ENABLE ROW LEVEL SECURITY;
ALTER TABLE recording_accesses ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_account ON recordings TO disca_service USING (account_id = current_account());
CREATE POLICY own_account ON recording_accesses TO disca_service USING (account_id = current_account());
GRANT SELECT, INSERT, UPDATE ON recordings TO disca_service;
-- The log is added to and read; only the sweep below removes what is old.
GRANT SELECT, INSERT ON recording_accesses TO disca_service;

-- Whose recording does a signed link or a media node speak of?
CREATE FUNCTION find_recording_account(wanted uuid) RETURNS bigint
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$ BEGIN RETURN (SELECT r.account_id FROM recordings r WHERE r.call_id = wanted); END $$;

-- Which files were promised so long ago that they will not come? The sweep then gives each up in its own account.
CREATE FUNCTION find_overdue_recordings(expected_before timestamptz, most integer)
  RETURNS TABLE (account_id bigint, call_id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT r.account_id, r.call_id FROM recordings r
    WHERE r.state = 'expected' AND r.expected_at <= expected_before ORDER BY r.expected_at LIMIT most;
END
$$;

-- Which files were kept long enough, or belong to somebody who was erased?
CREATE FUNCTION find_expired_recordings(at timestamptz, most integer)
  RETURNS TABLE (account_id bigint, call_id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT r.account_id, r.call_id FROM recordings r
    WHERE r.may_have_file AND r.expires_at <= at ORDER BY r.expires_at LIMIT most;
END
$$;

CREATE FUNCTION sweep_recording_accesses(before timestamptz, most integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE removed integer;
BEGIN
  DELETE FROM recording_accesses WHERE id IN (
    SELECT a.id FROM recording_accesses a WHERE a.at < before LIMIT most FOR UPDATE SKIP LOCKED);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;

REVOKE ALL ON FUNCTION find_recording_account, find_overdue_recordings, find_expired_recordings,
  sweep_recording_accesses FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_recording_account, find_overdue_recordings, find_expired_recordings,
  sweep_recording_accesses TO disca_service;
