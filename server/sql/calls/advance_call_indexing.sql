-- Moves an indexing pass past up to `most` calls that started before `before`, and returns the range of ids to index. It
-- begins `overlap` earlier and, at `before`, ends that much later, for calls that were committed late and for clocks
-- that differ. Returns null if another worker has the pass. The pass is locked until the words are committed.
-- requires: platform/uuid_floor
CREATE OR REPLACE FUNCTION advance_call_indexing(of_pass text, before timestamptz, overlap interval, most integer,
  OUT first_id uuid, OUT end_id uuid, OUT is_more boolean)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  since_at timestamptz;
  until_at timestamptz;
BEGIN
  SELECT p.until INTO since_at FROM call_indexing p WHERE p.pass = of_pass FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN; END IF;
  IF since_at IS NULL THEN
    SELECT c.started_at INTO since_at FROM calls c ORDER BY c.id LIMIT 1;
  END IF;
  since_at := least(since_at, before);
  SELECT c.started_at INTO until_at FROM calls c
   WHERE c.id >= uuid_floor(since_at) AND c.id < uuid_floor(before) ORDER BY c.id OFFSET most LIMIT 1;
  is_more := coalesce(until_at > since_at, false);
  until_at := CASE WHEN is_more THEN until_at ELSE before END;
  first_id := uuid_floor(since_at - overlap);
  end_id := uuid_floor(until_at + CASE WHEN is_more THEN interval '0' ELSE overlap END);
  UPDATE call_indexing p SET until = until_at WHERE p.pass = of_pass;
END
$$;
REVOKE ALL ON FUNCTION advance_call_indexing FROM PUBLIC;
GRANT EXECUTE ON FUNCTION advance_call_indexing TO disca_service;
