-- requires: operators/operator_log_hash
-- Appends an entry to the operator log and returns its number. The only writer of the log.
CREATE OR REPLACE FUNCTION append_operator_log(
  at timestamptz, operator text, role text, command text, target text, reason text, details jsonb
) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
  head operator_log_head;
  entry operator_log;
BEGIN
  SELECT * INTO STRICT head FROM operator_log_head FOR UPDATE;
  entry := (head.seq + 1, at, operator, role, command, target, reason, details, head.hash, ''::bytea);
  entry.hash := operator_log_hash(entry);
  INSERT INTO operator_log SELECT entry.*;
  UPDATE operator_log_head SET seq = entry.seq, hash = entry.hash;
  RETURN entry.seq;
END
$$;
REVOKE ALL ON FUNCTION append_operator_log FROM PUBLIC;
GRANT EXECUTE ON FUNCTION append_operator_log TO disca_operator;
