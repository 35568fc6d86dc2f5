-- Enqueues deliveries that were planned or replayed, in the transaction that did so. A delivery that already waits
-- becomes due at the given time; one that is being attempted is left alone.
CREATE OR REPLACE FUNCTION enqueue_deliveries(ids uuid[], integrations bigint[], retries boolean[], due timestamptz)
  RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
  INSERT INTO delivery_queue AS q (delivery_id, integration_id, is_retry, due_at)
  SELECT n.id, n.integration, n.is_retry, due FROM unnest(ids, integrations, retries) AS n (id, integration, is_retry)
  ON CONFLICT (delivery_id) DO UPDATE SET is_retry = excluded.is_retry, due_at = excluded.due_at, is_held = false
   WHERE q.taken_until IS NULL;
END
$$;
REVOKE ALL ON FUNCTION enqueue_deliveries FROM PUBLIC;
GRANT EXECUTE ON FUNCTION enqueue_deliveries TO disca_service;
