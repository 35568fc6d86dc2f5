-- Writes an event into the outbox, in the transaction that caused it. The sequencer numbers it after commit and moves it
-- to the log.
CREATE OR REPLACE FUNCTION record_event(
  event_id uuid, of_account bigint, of_type text, of_subject text, event_data jsonb, at timestamptz
) RETURNS void
  LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO public.event_outbox (id, account_id, type, subject_id, data, occurred_at)
    VALUES (event_id, of_account, of_type, of_subject, event_data, at);
END
$$;
REVOKE ALL ON FUNCTION record_event FROM PUBLIC;
GRANT EXECUTE ON FUNCTION record_event TO disca_service, disca_operator;
