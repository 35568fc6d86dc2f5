import { sql } from 'kysely';
import { countUsedUp } from '../../contexts/limits/index.ts';
import { oldestDeliveries } from '../../contexts/webhooks/index.ts';
import { type Database, inTransaction } from '../../platform/db/database.ts';
import { oldestDueJobs } from '../../platform/jobs.ts';
import type { Reading } from '../../platform/telemetry/metrics.ts';
import type { Instruments } from './instruments.ts';
import type { MetricName } from './metric-definitions.ts';

/** Minimum interval between database reads, however often metrics are scraped. */
const readEveryMs = 3_000;
/** The same for budgets, whose use is compared for all accounts. */
const readBudgetsEveryMs = 30_000;

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
  disca_budgets_used_up: { key: 'budgets_used_up', label: 'resource' },
  disca_queue_oldest_seconds: { key: 'queue_oldest_age', label: 'queue' },
} as const satisfies Partial<Record<MetricName, { key: string; label?: string }>>;

/** Exports metrics that are read from the database. They are absent while it is unavailable. */
export function exportStateMetrics(instruments: Instruments, db: Database): void {
  const failed = instruments.counter('disca_state_read_failures_total');
  const readBudgets = atMostEvery(readBudgetsEveryMs, () => readUsedUp(db));
  const read = atMostEvery(readEveryMs, () =>
    readState(db, readBudgets).catch(() => {
      failed();
      return [];
    }),
  );
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

/** Returns the last result until the interval has passed, unless the read failed. */
function atMostEvery(intervalMs: number, read: () => Promise<Row[]>): () => Promise<Row[]> {
  let last: { atMs: number; rows: Promise<Row[]> } | undefined;
  return () => {
    if (last && Date.now() - last.atMs < intervalMs) return last.rows;
    const rows = read();
    last = { atMs: Date.now(), rows };
    rows.catch(() => {
      last = undefined;
    });
    return rows;
  };
}

async function readUsedUp(db: Database): Promise<Row[]> {
  const counts = await countUsedUp(db);
  return counts.map(({ resource, accounts }) => ({
    key: 'budgets_used_up',
    label: resource,
    value: accounts,
  }));
}

async function readState(db: Database, readBudgets: () => Promise<Row[]>): Promise<Row[]> {
  const [state, budgets, jobs, deliveries] = await Promise.all([
    inTransaction(db, (tx) => sql<Row>`select figure as key, label, value from service_state()`.execute(tx)),
    readBudgets(),
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
  return [...state.rows, ...budgets, ...ages];
}
