import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isPoolTimeout, isUnavailability } from './unavailable.ts';

export interface Retries {
  /** Until when (`performance.now()`) a lost connection is replaced by a new one. */
  retriesUntilMs: number;
  /** Whether the work must not run again after it has begun. */
  runsOnce?: boolean;
}

const pauseMs = 100;

/** The connection was not established or was lost. */
export class LostConnection extends Error {
  /** Whether the work has begun. */
  readonly hasBegun: boolean;

  constructor(cause: unknown, hasBegun: boolean) {
    super('The connection to the database was lost.', { cause });
    this.hasBegun = hasBegun;
  }
}

/** Attempts again while connections are lost. */
export async function retryLost<T>(
  { retriesUntilMs, runsOnce = false }: Retries,
  attempt: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof LostConnection)) throw error;
      if (error.hasBegun && runsOnce) throw error.cause;
      if (performance.now() + pauseMs > retriesUntilMs) throw error.cause;
      await sleep(pauseMs);
    }
  }
}

export async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    // A pool whose connections are all in use is not retried: the work has waited already.
    if (isUnavailability(error) && !isPoolTimeout(error)) throw new LostConnection(error, false);
    throw error;
  }
}
