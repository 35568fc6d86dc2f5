-- A call that a phone or a carrier began may reach two nodes: the first seemed silent, and was only slow. Both are told
-- by a digest of its SIP Call-ID, and an account has one running call with it: whoever comes second is refused.
CREATE UNIQUE INDEX live_calls_sip ON live_calls (account_id, (order_data->>'sip'))
  WHERE order_data->>'sip' IS NOT NULL;
