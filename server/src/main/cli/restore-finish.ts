import { sql } from 'kysely';
import { auditLedger } from '../../contexts/billing/index.ts';
import { closeOpenCalls, unwatched } from '../../contexts/calls/index.ts';
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
    /** Not told yet; the worker does it when it starts. */
    waiting: number;
    /** Of each account and kind, all of them. */
    counts: { accountId: number; kind: EventDifference['kind']; count: number }[];
    /** Not all are named where there are many. */
    differences: EventDifference[];
    /** The last number of each account. Whoever has read further was told what is gone, and goes back to it. */
    lastNumbers: { accountId: number; last: number }[];
  };
}

/** What the worker does by itself as soon as it runs. */
const stillToDo: EventDifference['kind'][] = ['event_without_number', 'delivery_not_delivered'];
const lookedBackSeconds = 24 * 3600;
const mostDifferences = 1_000;

const settings = configSchema.pick({
  RECORDING_RETENTION_DAYS: true,
  EVENT_RETENTION_DAYS: true,
  DELIVERY_RETENTION_DAYS: true,
});

/** Processes that talk to it have calls under way that are not over: closing those would take them from under people. */
export async function refuseServed({ db }: Operator): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select distinct application_name as name from pg_stat_activity
     where datname = current_database() and application_name in ('disca-api', 'disca-worker', 'disca-voice')
     order by 1`.execute(db.kysely);
  if (rows.length === 0) return;
  throw new Error(
    `The service runs on this database: ${rows.map(({ name }) => name).join(', ')}. All its open calls would be ended. Stop it and run: disca restore finish (or with --force, if you mean it).`,
  );
}

/**
 * What a restored database needs before the service starts on it: nobody of before may write for a media node, calls that
 * were open are over, and files that had come are known. Then everything is counted. Safe to repeat.
 */
export async function finishRestore(
  operator: Operator,
  progress: (text: string) => void,
  lastCommitAt?: Date,
): Promise<Finished> {
  const retention = settings.parse(process.env);
  const storage = storageOf(process.env);
  try {
    progress('closing calls that were open');
    await fenceNodes(operator);
    const closedCalls = await closeOpenCalls({ ...operator, watch: unwatched });
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
     where exists (select from events e where e.account_id = a.id and e.occurred_at >= ${since})
     order by a.id`.execute(operator.db.kysely);
  const deps = {
    ...operator,
    patientDb: operator.db,
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
    const room = mostDifferences - events.differences.length;
    events.differences.push(...real.slice(0, room).map((difference) => ({ accountId: id, ...difference })));
    if (events.counts.length >= mostDifferences) break;
  }
  return events;
}

/** Files of calls that are unknown now are no fault: their calls were made after the moment. */
export const faultsOf = ({ ledger, events, recordings }: Finished): string[] => [
  ...ledger.map((difference) => `The ledger differs: ${JSON.stringify(difference)}`),
  ...events.counts.map(
    ({ accountId, kind, count }) => `Events differ: ${count} times ${kind} in account ${accountId}`,
  ),
  ...events.differences.map((difference) => `Events differ: ${JSON.stringify(difference)}`),
  ...recordings.damaged.map((key) => `The file of a recording is empty or no recording: ${key}`),
  ...recordings.lost.map((key) => `The file of a recording is gone: ${key}`),
];

export function reportOf(finished: Finished): string {
  const { closedCalls, recordings, events } = finished;
  const faults = faultsOf(finished);
  return [
    `${closedCalls} calls were open and are closed.`,
    `${recordings.files} recordings: ${recordings.adopted} taken in, ${recordings.unknown.length} of calls that are unknown now, ${recordings.lost.length} gone.`,
    `Events of ${events.accounts} accounts are counted; ${events.waiting} wait to be told by the worker.`,
    ...(faults.length > 0 ? faults : ['The ledger and the events are clean.']),
  ].join('\n');
}
