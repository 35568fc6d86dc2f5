-- Keeps what the recordings of an account take up, so that no call has to add it up: the bytes that are stored, and the
-- length of the recordings whose files arrived on the latest day in Sao Paulo. A removed file does not count as bytes.
CREATE OR REPLACE FUNCTION count_recording() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  bytes bigint := 0;
  ms bigint := 0;
  on_day date := '-infinity';
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.may_have_file THEN bytes := -coalesce(OLD.bytes, 0); END IF;
  IF TG_OP = 'DELETE' THEN
    UPDATE recording_use u SET stored_bytes = u.stored_bytes + bytes WHERE u.account_id = OLD.account_id AND bytes <> 0;
    RETURN NULL;
  END IF;
  IF NEW.may_have_file THEN bytes := bytes + coalesce(NEW.bytes, 0); END IF;
  IF NEW.duration_ms IS NOT NULL AND (TG_OP = 'INSERT' OR OLD.duration_ms IS NULL) THEN
    ms := NEW.duration_ms;
    on_day := (NEW.stored_at AT TIME ZONE 'America/Sao_Paulo')::date;
  END IF;
  IF bytes = 0 AND ms = 0 THEN RETURN NULL; END IF;
  INSERT INTO recording_use AS u (account_id, stored_bytes, day, recorded_ms)
  VALUES (NEW.account_id, bytes, on_day, ms)
  ON CONFLICT (account_id) DO UPDATE SET
    stored_bytes = u.stored_bytes + excluded.stored_bytes,
    day = greatest(u.day, excluded.day),
    recorded_ms = CASE WHEN excluded.day > u.day THEN 0 ELSE u.recorded_ms END
      + CASE WHEN excluded.day >= u.day THEN excluded.recorded_ms ELSE 0 END;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION count_recording FROM PUBLIC;

CREATE OR REPLACE TRIGGER count_new_recording AFTER INSERT ON recordings
  FOR EACH ROW WHEN (NEW.bytes IS NOT NULL) EXECUTE FUNCTION count_recording();
CREATE OR REPLACE TRIGGER count_recording AFTER DELETE OR UPDATE OF bytes, duration_ms, may_have_file ON recordings
  FOR EACH ROW EXECUTE FUNCTION count_recording();
