-- Calls with their current state. calls is written when a call is placed and when it ends; in between only live_calls
-- changes. Subqueries instead of a join: a live call is read only for a running call and a column that is used, and lists
-- keep the plans of calls.
CREATE OR REPLACE VIEW call_records WITH (security_invoker = true) AS
  SELECT c.id, c.account_id, c.domain, c.book, c.call_type,
         CASE WHEN c.status = 'ended' THEN c.status
              ELSE coalesce((SELECT l.state FROM live_calls l WHERE l.call_id = c.id), c.status) END AS status,
         c.started_at,
         CASE WHEN c.status = 'ended' THEN c.answered_at
              ELSE coalesce((SELECT l.answered_at FROM live_calls l WHERE l.call_id = c.id), c.answered_at) END AS answered_at,
         c.ended_at, c."from", c."to", c.to_reversed, c.extension_id, c.user_id, c.requested_by, c.email, c.first_name,
         c.last_name, c.bina, c.caller_id, c.recorded, c.duration, c.billed_duration, c.hangup_cause, c.ended_by,
         c.minute_price_micros, c.call_price_micros, c.minute_price, c.call_price,
         CASE WHEN c.status = 'ended' THEN c.node
              ELSE coalesce((SELECT l.node FROM live_calls l WHERE l.call_id = c.id), c.node) END AS node,
         c.metadata,
         CASE WHEN c.status = 'ended' THEN c.timeline
              ELSE c.timeline || coalesce((SELECT l.timeline FROM live_calls l WHERE l.call_id = c.id), '[]') END AS timeline,
         CASE WHEN c.status = 'ended' THEN false
              ELSE coalesce((SELECT l.on_hold FROM live_calls l WHERE l.call_id = c.id), false) END AS on_hold,
         c.legs, c.quality ->> 'verdict' AS quality, c.quality -> 'legs' AS leg_quality
    FROM calls c;
GRANT SELECT ON call_records TO disca_service, disca_operator;
