-- A note of use must not wait for whoever ends tokens, or the two could deadlock and a change of password would fail:
-- tokens that are locked just now are passed over, and their next use tells it again.
CREATE OR REPLACE FUNCTION touch_tokens(hashes bytea[], times timestamptz[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  UPDATE access_tokens t
     SET last_used_at = free.at
    FROM (
      SELECT k.hash, used.at
        FROM unnest(hashes, times) AS used (hash, at) JOIN access_tokens k ON k.hash = used.hash
       WHERE k.last_used_at IS NULL OR k.last_used_at < used.at
         FOR NO KEY UPDATE OF k SKIP LOCKED
    ) AS free
   WHERE t.hash = free.hash;
END
$$;
