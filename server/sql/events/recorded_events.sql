-- All events: those in the log, and those that have no number yet.
CREATE OR REPLACE VIEW recorded_events WITH (security_invoker = true) AS
  SELECT e.id, e.account_id, e.type, e.subject_id, e.data, e.occurred_at, e.account_sequence FROM events e
   UNION ALL
  SELECT o.id, o.account_id, o.type, o.subject_id, o.data, o.occurred_at, NULL::bigint FROM event_outbox o;
GRANT SELECT ON recorded_events TO disca_service, disca_operator;
