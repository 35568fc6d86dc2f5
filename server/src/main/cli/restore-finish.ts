import { sql } from 'kysely';
import { auditLedger } from '../../contexts/billing/index.ts';
import { closeOpenCalls, noObserver } from '../../contexts/calls/index.ts';
import { type Reconciled, reconcile } from '../../contexts/events/index.ts';
import { type Comparison, compareFiles } from '../../contexts/recordings/index.ts';
import { fenceNodes } from '../../contexts/telephony/index.ts';
import { secondsAfter } from '../../platform/time.ts';
import { configSchema } from '../config.ts';
import type { Operator } from './operator.ts';
import { storageOf } from './person.ts';

type EventDifference = Reconciled['differences'][number] & { accountId: number };

export interface Finished {
  closedCalls: number;
  recordings: Comparison;
  ledger: Awaited<ReturnType<typeof auditLedger>>;
  events: {
    accounts: number;
    /** Events not delivered yet; the worker delivers them when it starts. */
    waiting: number;
    /** Complete counts per account and kind. */
    counts: { accountId: number; kind: EventDifference['kind']; count: number }[];
    /** Differences; a sample if there are many. */
    differences: EventDifference[];
    /** The last event number of each account. Clients that have read further must resume from this number. */
    lastNumbers: { accountId: number; last: number }[];
  };
}

/** Kinds of differences that the worker resolves when it starts. */
const stillToDo: EventDifference['kind'][] = ['event_without_number', 'delivery_not_delivered'];
const lookedBackSeconds = 24 * 3600;
const maxDifferences = 1_000;

const settings = configSchema.pick({
  RECORDING_RETENTION_DAYS: true,
  EVENT_RETENTION_DAYS: true,
  DELIVERY_RETENTION_DAYS: true,
});

/** Refuses while the service uses the database: this command would end its running calls. */
export async function refuseServed({ db }: Operator): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select distinct application_name as name from pg_stat_activity
     where datname = current_database() and application_name in ('disca-api', 'disca-worker', 'disca-voice')
     order by 1`.execute(db.kysely);
  if (rows.length === 0) return;
  throw new Error(
    `The service runs on this database: ${rows.map(({ name }) => name).join(', ')}. All its open calls would be ended. Stop it and run: disca restore finish (or add --force to end them).`,
  );
}

/**
 * Prepares a restored database before the service starts: fences earlier lease holders of media nodes, ends calls that
 * were open, and registers recordings whose files exist. Then audits the result. Safe to repeat.
 */
export async function finishRestore(
  operator: Operator,
  progress: (text: string) => void,
  lastCommitAt?: Date,
): Promise<Finished> {
  const retention = settings.parse(process.env);
  const storage = storageOf(process.env);
  try {
    progress('ending calls that were open');
    await fenceNodes(operator);
    const closedCalls = await closeOpenCalls({ ...operator, observer: noObserver });
    progress('comparing recordings with their files');
    const recordings = await compareFiles({
      ...operator,
      storage,
      retentionDays: retention.RECORDING_RETENTION_DAYS,
    });
    progress('auditing the ledger');
    const ledger = await auditLedger(operator);
    progress('counting events');
    const since = secondsAfter(lastCommitAt ?? operator.clock.now(), -lookedBackSeconds);
    const events = await countEvents(operator, since, retention);
    return { closedCalls, recordings, ledger, events };
  } finally {
    storage.close();
  }
}

export async function countEvents(
  operator: Pick<Operator, 'db' | 'clock'>,
  since: Date,
  retention: { EVENT_RETENTION_DAYS: number; DELIVERY_RETENTION_DAYS: number },
): Promise<Finished['events']> {
  const { rows } = await sql<{ id: number; last: number }>`
    select a.id, coalesce(c.last, 0) as last
      from accounts a left join event_counters c on c.account_id = a.id
     where exists (select from recorded_events e where e.account_id = a.id and e.occurred_at >= ${since})
     order by a.id`.execute(operator.db.kysely);
  const deps = {
    ...operator,
    longQueryDb: operator.db,
    eventRetentionDays: retention.EVENT_RETENTION_DAYS,
    deliveryRetentionDays: retention.DELIVERY_RETENTION_DAYS,
  };
  const asked = { since: since.toISOString(), until: operator.clock.now().toISOString() };
  const events: Finished['events'] = {
    accounts: rows.length,
    waiting: 0,
    counts: [],
    differences: [],
    lastNumbers: [],
  };
  events.lastNumbers = rows.map(({ id: accountId, last }) => ({ accountId, last }));
  for (const { id } of rows) {
    const { differences, differenceCounts } = await reconcile(deps, id, asked);
    for (const kind of stillToDo) events.waiting += differenceCounts[kind] ?? 0;
    for (const [kind, count] of Object.entries(differenceCounts) as [EventDifference['kind'], number][])
      if (!stillToDo.includes(kind)) events.counts.push({ accountId: id, kind, count });
    const real = differences.filter(({ kind }) => !stillToDo.includes(kind));
    const room = maxDifferences - events.differences.length;
    events.differences.push(...real.slice(0, room).map((difference) => ({ accountId: id, ...difference })));
    if (events.counts.length >= maxDifferences) break;
  }
  return events;
}

/** Returns the errors found. Files of unknown calls are not errors: those calls were made after the restored time. */
export const faultsOf = ({ ledger, events, recordings }: Finished): string[] => [
  ...ledger.map((difference) => `Ledger difference: ${JSON.stringify(difference)}`),
  ...events.counts.map(
    ({ accountId, kind, count }) => `Event differences: ${count} × ${kind} in account ${accountId}`,
  ),
  ...events.differences.map((difference) => `Event difference: ${JSON.stringify(difference)}`),
  ...recordings.damaged.map((key) => `Recording file empty or not a recording: ${key}`),
  ...recordings.lost.map((key) => `Recording file missing: ${key}`),
];

export function reportOf(finished: Finished): string {
  const { closedCalls, recordings, events } = finished;
  const faults = faultsOf(finished);
  return [
    `${closedCalls} open calls were ended.`,
    `${recordings.files} recordings: ${recordings.adopted} registered, ${recordings.unknown.length} of unknown calls, ${recordings.lost.length} missing.`,
    `Checked the events of ${events.accounts} accounts; ${events.waiting} are pending delivery by the worker.`,
    ...(faults.length > 0 ? faults : ['The ledger and the events are clean.']),
  ].join('\n');
}
