-- Records when tokens were last used, in batches outside the requests. A session of the console then lasts its ttl_seconds
-- from that time, and at most 90 days, or 12 hours if it was opened with single sign-on. Skips locked tokens: waiting for a transaction
-- that revokes tokens could deadlock with it. A skipped token is recorded at its next use.
CREATE OR REPLACE FUNCTION touch_tokens(hashes bytea[], times timestamptz[]) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  UPDATE access_tokens t
     SET last_used_at = free.at,
         expires_at = CASE
           WHEN t.is_console_session THEN least(free.at + make_interval(secs => t.ttl_seconds),
                                                t.created_at + CASE WHEN t.is_sso THEN interval '12 hours'
                                                                     ELSE interval '90 days' END)
           ELSE t.expires_at END
    FROM (
      SELECT k.hash, used.at
        FROM unnest(hashes, times) AS used (hash, at) JOIN access_tokens k ON k.hash = used.hash
       WHERE k.last_used_at IS NULL OR k.last_used_at < used.at
         FOR NO KEY UPDATE OF k SKIP LOCKED
    ) AS free
   WHERE t.hash = free.hash;
END
$$;
REVOKE ALL ON FUNCTION touch_tokens FROM PUBLIC;
GRANT EXECUTE ON FUNCTION touch_tokens TO disca_service;
