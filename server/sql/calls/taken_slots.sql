-- The slots of concurrent calls that are taken: one per running call, except for calls from outside, and one per further leg
-- to a number outside. security_invoker, so that row-level security applies to the reader.
CREATE OR REPLACE VIEW taken_slots WITH (security_invoker = true) AS
  SELECT l.account_id, l.book FROM live_calls l WHERE l.kind <> 'inbound'
  UNION ALL
  SELECT g.account_id, g.order_data ->> 'book' FROM live_legs g WHERE g.funded_seconds IS NOT NULL AND g.state <> 'ended';
GRANT SELECT ON taken_slots TO disca_service;
