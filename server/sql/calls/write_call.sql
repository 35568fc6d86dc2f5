-- Writes the record, the live call, its metadata and its first event. A call that a phone or a carrier started names its
-- node and is written as claimed. A call with a chosen node is claimed by any other node only after 500 ms: several times
-- as long as a claim usually takes, and a small part of the 5 s after which an unclaimed call ends. Runs with the rights
-- of the service, which writes only rows of its account.
-- requires: calls/call_snapshot, events/record_event
CREATE OR REPLACE FUNCTION write_call(of_account bigint, call jsonb) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp SET plan_cache_mode = force_generic_plan
AS $$
DECLARE
  new record;
  written calls;
BEGIN
  SELECT * INTO new FROM jsonb_to_record(call) AS c (
    id uuid, book text, kind text, call_type text, at timestamptz, "order" jsonb, extension_id bigint, user_id bigint,
    requested_by bigint, email text, first_name text, last_name text, bina text, metadata jsonb, moments jsonb,
    funded_seconds integer, node text, chosen_node text, event_id uuid, dialer_id uuid);
  INSERT INTO calls (id, account_id, domain, book, call_type, status, started_at, "from", "to", extension_id, user_id,
      requested_by, email, first_name, last_name, bina, caller_id, recorded, metadata, timeline)
    VALUES (new.id, of_account, new."order"->>'domain', new.book, new.call_type, 'queued', new.at,
      CASE WHEN new.kind = 'inbound' THEN new."order"->>'callerId' ELSE new."order"->>'ramal' END,
      new."order"->>'destination', new.extension_id, new.user_id, new.requested_by, new.email, new.first_name,
      new.last_name, new.bina, new."order"->>'callerId', (new."order"->'record')::boolean, new.metadata, new.moments)
    RETURNING * INTO written;
  INSERT INTO live_calls (call_id, account_id, book, kind, state, requested_at, order_data, funded_seconds, node,
      claimed_at, chosen_node, chosen_until, sequence)
    VALUES (new.id, of_account, new.book, new.kind, 'queued', new.at, new."order", new.funded_seconds, new.node,
      CASE WHEN new.node IS NOT NULL THEN new.at END, new.chosen_node,
      CASE WHEN new.chosen_node IS NOT NULL THEN clock_timestamp() + interval '500 ms' END, 1);
  IF new.metadata <> '{}' THEN
    INSERT INTO call_pairs (account_id, pair, id)
      SELECT of_account, hashtextextended(key || '=' || value::text, 0), new.id
        FROM jsonb_each(new.metadata) WHERE jsonb_typeof(value) IN ('string', 'number', 'boolean')
      ON CONFLICT DO NOTHING;
  END IF;
  IF new.dialer_id IS NOT NULL THEN
    INSERT INTO dialer_calls (id, account_id, call_id, created_at) VALUES (new.dialer_id, of_account, new.id, new.at);
  END IF;
  PERFORM record_event(new.event_id, of_account, 'channel-create', new.id::text,
    jsonb_build_object('sequence', 1, 'call', call_snapshot(written)), new.at);
END
$$;
REVOKE ALL ON FUNCTION write_call FROM PUBLIC;
GRANT EXECUTE ON FUNCTION write_call TO disca_service;
