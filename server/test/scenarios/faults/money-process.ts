import { PgBoss } from 'pg-boss';
import { readConfig } from '../../../src/main/config.ts';
import { wireBase, wireMoney } from '../../../src/main/wire.ts';
import { type BoundaryTrace, follow, type Moment, watchBoundaries } from './money-boundaries.ts';
import { type Operation, type OperationDeps, operations, type TargetAccount } from './money-operations.ts';

/**
 * Orders for a process that is killed. It runs operations concurrently, each for its own account, and stops each at its
 * boundary. Once all are stopped, the process reports this and waits to be killed.
 */
export interface Order {
  settings: Record<string, string>;
  aheadMs: number;
  /** Run to completion, one after the other. */
  whole: { operation: Operation; target: TargetAccount }[];
  killed: KilledOperation[];
}

export interface KilledOperation {
  operation: Operation;
  target: TargetAccount;
  stopAt: number;
  moment: Moment;
}

export type Report =
  /** The boundaries that each complete operation crossed. */
  { state: 'ready'; boundaries: string[][] } | { state: 'stopped' } | { state: 'escaped'; reason: string };

process.once('message', (order) => {
  run(order as Order).catch((error: Error) => send({ state: 'escaped', reason: String(error.stack) }));
});

const send = (report: Report) => process.send?.(report);

async function run({ settings, aheadMs, whole, killed }: Order): Promise<void> {
  watchBoundaries();
  const deps = await wire(settings, aheadMs);
  const boundaries: string[][] = [];
  for (const { operation, target } of whole) {
    const trace = traceTo(0, 'before', () => undefined);
    await follow(trace, () => operations[operation](deps, target) as Promise<unknown>);
    boundaries.push(trace.boundaries);
  }
  send({ state: 'ready', boundaries });
  if (killed.length === 0) return;
  await Promise.all(killed.map((each) => untilStopped(deps, each)));
  send({ state: 'stopped' });
}

const traceTo = (stopAt: number, moment: Moment, onStop: () => void): BoundaryTrace => ({
  boundaries: [],
  stopAt,
  moment,
  onStop,
});

async function untilStopped(
  deps: OperationDeps,
  { operation, target, stopAt, moment }: KilledOperation,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const trace = traceTo(stopAt, moment, resolve);
  const escaped = (how: unknown) =>
    reject(new Error(`${operation} passed boundary ${stopAt} of ${trace.boundaries.length}: ${how}`));
  follow(trace, () => operations[operation](deps, target) as Promise<unknown>).then(escaped, escaped);
  await promise;
}

async function wire(settings: Record<string, string>, aheadMs: number): Promise<OperationDeps> {
  const config = readConfig(settings);
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  const base = wireBase(config, `target-${process.pid}`, { clock });
  const boss = new PgBoss({
    db: { executeSql: (text, values) => execute(base.db.pool, text, values) },
    schema: 'pgboss',
    migrate: false,
    createSchema: false,
    supervise: false,
    schedule: false,
  });
  await boss.start();
  return { ...base, ...(await wireMoney(config, base)), boss };
}

/** Uses a separate connection, so that the statement is attributed to the operation that runs it. */
async function execute(
  pool: Awaited<ReturnType<typeof wireBase>>['db']['pool'],
  text: string,
  values?: unknown[],
) {
  const client = await pool.connect();
  try {
    return await client.query(text, values);
  } finally {
    client.release();
  }
}
