-- The queue of webhook deliveries: one row for each delivery that is waiting for an attempt. It replaces two queues of
-- pg-boss (decision 0018). It has no tenant data and no foreign keys: a row without its delivery is removed when it is
-- taken. The service reads and writes it through functions only.
CREATE TABLE delivery_queue (
  delivery_id uuid PRIMARY KEY,
  integration_id bigint NOT NULL,
  -- Retries, replays, and deliveries to endpoints that fail or are slow.
  is_retry boolean NOT NULL,
  due_at timestamptz NOT NULL,
  -- The end of the lease of the worker that makes the attempt. If the worker dies, the row becomes due again.
  taken_until timestamptz,
  -- Waits for a free slot of its endpoint, not to be read by every worker that looks for due rows.
  is_held boolean NOT NULL DEFAULT false,
  CHECK (NOT (is_held AND taken_until IS NOT NULL))
) WITH (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.5);
-- A row is in exactly one of these.
CREATE INDEX delivery_queue_due ON delivery_queue (is_retry, due_at) WHERE taken_until IS NULL AND NOT is_held;
CREATE INDEX delivery_queue_held ON delivery_queue (is_retry, integration_id, due_at) WHERE is_held;
CREATE INDEX delivery_queue_taken ON delivery_queue (is_retry, taken_until) WHERE taken_until IS NOT NULL;
