import { sql } from 'kysely';
import { oldestDeliveries } from '../../contexts/webhooks/index.ts';
import { type Database, inTransaction } from '../../platform/db/database.ts';
import { oldestDueJobs } from '../../platform/jobs.ts';
import type { Reading } from '../../platform/telemetry/metrics.ts';
import type { Instruments } from './instruments.ts';
import type { MetricName } from './metric-definitions.ts';

/** Minimum interval between database reads, however often metrics are scraped. */
const readEveryMs = 3_000;

interface Row {
  key: string;
  label: string;
  value: number;
}

/** Metric name of each value read from the database. */
const stateMetrics = {
  disca_event_oldest_seconds: { key: 'event_oldest_age' },
  disca_call_oldest_wait_seconds: { key: 'call_oldest_wait' },
  disca_live_calls: { key: 'live_calls', label: 'state' },
  disca_recordings_awaited: { key: 'recordings_awaited' },
  disca_recording_oldest_seconds: { key: 'recording_oldest_age' },
  disca_registrations: { key: 'registrations' },
  disca_edges: { key: 'edges' },
  disca_nodes: { key: 'nodes', label: 'state' },
  disca_integrations_failing: { key: 'integrations_failing' },
  disca_ledger_differences: { key: 'ledger_differences' },
  disca_ledger_audited_timestamp_seconds: { key: 'ledger_audited_at' },
  disca_queue_oldest_seconds: { key: 'queue_oldest_age', label: 'queue' },
} as const satisfies Partial<Record<MetricName, { key: string; label?: string }>>;

/** Exports metrics that are read from the database. They are absent while it is unavailable. */
export function exportStateMetrics(instruments: Instruments, db: Database): void {
  const failed = instruments.counter('disca_state_read_failures_total');
  let last: { atMs: number; rows: Promise<Row[]> } | undefined;
  const read = (): Promise<Row[]> => {
    if (last && Date.now() - last.atMs < readEveryMs) return last.rows;
    const rows = readState(db).catch(() => {
      failed();
      return [];
    });
    last = { atMs: Date.now(), rows };
    return rows;
  };
  for (const [name, { key, ...rest }] of Object.entries(stateMetrics)) {
    const label = 'label' in rest ? rest.label : undefined;
    instruments.gauge(name as keyof typeof stateMetrics, async () => {
      const rows = (await read()).filter((row) => row.key === key);
      return rows.map(
        (row): Reading => ({ labels: label ? { [label]: row.label } : {}, value: Math.max(row.value, 0) }),
      );
    });
  }
}

async function readState(db: Database): Promise<Row[]> {
  const [state, jobs, deliveries] = await Promise.all([
    inTransaction(db, (tx) => sql<Row>`select figure as key, label, value from service_state()`.execute(tx)),
    oldestDueJobs(db),
    oldestDeliveries(db),
  ]);
  // Until the next release, deliveries may also wait as jobs of the previous one.
  const byQueue = Map.groupBy([...jobs, ...deliveries], ({ queue }) => queue);
  const ages = [...byQueue].map(([queue, found]) => ({
    key: 'queue_oldest_age',
    label: queue,
    value: Math.max(...found.map(({ seconds }) => seconds)),
  }));
  return [...state.rows, ...ages];
}
