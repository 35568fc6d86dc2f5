import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { withServer } from './server-facts.ts';

export interface Promoted {
  timeline: number;
  /** The last commit that was brought back. */
  lastCommitAt: Date | null;
}

const pollMs = 200;

interface State {
  inRecovery: boolean;
  startedAt: Date;
  systemIdentifier: string;
  timeline: number | null;
  lastCommitAt: Date | null;
}

/**
 * Before anything is copied: whoever answers at this address would be taken for what is restored, and have its calls
 * ended. Nobody does where the old cluster was stopped.
 */
export async function refuseRunning(url: string): Promise<void> {
  const answers = await withServer(url, async () => true).catch(
    // One that refuses us runs as well.
    (error: unknown) => error instanceof pg.DatabaseError,
  );
  if (!answers) return;
  throw new Error(
    'A PostgreSQL still runs at DATABASE_OWNER_URL. Stop it: the restored one is to answer there, and nothing else.',
  );
}

/**
 * Waits until the server at this address is the restored one and takes writes. Another cluster that answers there, or an
 * old one that was started instead, is not taken for it: the restored one runs in this folder, was started after it was
 * made, and is on a new timeline.
 */
export async function awaitPromotion(options: {
  url: string;
  data: string;
  systemIdentifier: string;
  oldTimeline: number;
  /** When the folder was ready to be started. */
  preparedAt: Date;
  patienceMs: number;
  onProgress: (text: string) => void;
}): Promise<Promoted> {
  const deadline = Date.now() + options.patienceMs;
  const pidFile = join(options.data, 'postmaster.pid');
  let hasRun = false;
  let lastError: string | undefined;
  for (;;) {
    const state = await withServer(options.url, readState).catch((error: Error) => {
      lastError = error.message;
    });
    if (state && state.systemIdentifier !== options.systemIdentifier)
      throw new Error('Another cluster answers at DATABASE_OWNER_URL. Stop it, and start the restored one.');
    if (state && !state.inRecovery && state.timeline !== null) {
      if (
        state.timeline <= options.oldTimeline ||
        state.startedAt < options.preparedAt ||
        !existsSync(pidFile)
      )
        throw new Error(
          `The server at DATABASE_OWNER_URL does not run on ${options.data}. Stop it, and start the restored one.`,
        );
      return { timeline: state.timeline, lastCommitAt: state.lastCommitAt };
    }
    if (state?.lastCommitAt) options.onProgress(`restored until ${state.lastCommitAt.toISOString()}`);
    const isRunning = existsSync(pidFile);
    if (hasRun && !isRunning)
      throw new Error('PostgreSQL ended before it was restored. The end of its own log says why.');
    hasRun ||= isRunning;
    if (Date.now() > deadline)
      throw new Error(
        `PostgreSQL was not restored within ${options.patienceMs / 1000} s. Its own log says how far it is; --wait gives it longer.${lastError ? ` Asked at DATABASE_OWNER_URL it last said: ${lastError}` : ''}`,
      );
    await sleep(pollMs);
  }
}

async function readState(client: pg.Client): Promise<State> {
  const { rows } = await client.query<State>(
    `select pg_is_in_recovery() as "inRecovery", pg_postmaster_start_time() as "startedAt",
            (select system_identifier::text from pg_control_system()) as "systemIdentifier",
            case when not pg_is_in_recovery()
                 then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline,
            pg_last_xact_replay_timestamp() as "lastCommitAt"`,
  );
  const [state] = rows;
  if (!state) throw new Error('PostgreSQL says nothing of itself.');
  return state;
}
