import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Platform } from '../../harness/platform.ts';
import type { Order, Report } from './money-process.ts';

const script = fileURLToPath(new URL('money-process.ts', import.meta.url));

/** Returns the boundaries of each operation, run one after the other in a separate process. */
export async function findBoundaries(order: Omit<Order, 'killed'>): Promise<string[][]> {
  const target = start({ ...order, killed: [] });
  const report = await target.nextReport();
  await target.kill();
  if (report.state !== 'ready') throw new Error(`The operations failed: ${JSON.stringify(report)}`);
  return report.boundaries;
}

/**
 * Runs the operations in one process, kills it when each has reached its boundary, and waits until its connections are
 * closed.
 */
export async function killAt(platform: Platform, order: Order): Promise<void> {
  const target = start(order);
  const ready = await target.nextReport();
  const report = ready.state === 'ready' ? await target.nextReport() : ready;
  await target.kill();
  if (report.state !== 'stopped') throw new Error(JSON.stringify(report));
  await untilGone(platform, `disca-victim-${target.pid}`);
}

function start(order: Order) {
  const child = fork(script, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const reports = on(child, 'message', { close: ['exit'], signal: AbortSignal.timeout(120_000) });
  const ended = once(child, 'exit');
  child.send(order);
  return {
    pid: child.pid,
    async nextReport(): Promise<Report> {
      const { value, done } = await reports.next();
      return done
        ? { state: 'escaped', reason: 'The process ended without being killed.' }
        : (value[0] as Report);
    },
    async kill(): Promise<void> {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Waits until PostgreSQL has finished the last statements and closed the dead process's connections. */
async function untilGone(platform: Platform, name: string): Promise<void> {
  for (let tries = 0; tries < 6_000; tries += 1) {
    const left = await platform.database.query('select from pg_stat_activity where application_name = $1', [
      name,
    ]);
    if (left.length === 0) return;
    await wait(20);
  }
  throw new Error(`Connections of ${name} are left.`);
}
