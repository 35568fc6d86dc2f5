import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { withServer } from './with-server.ts';

export interface Promoted {
  timeline: number;
  /** Time of the last restored commit. */
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
 * Refuses to restore while a server runs at this address: it would be mistaken for the restored one, and its calls
 * would be ended.
 */
export async function refuseRunning(url: string): Promise<void> {
  const answers = await withServer(url, async () => true).catch(
    // A server that rejects the connection is running as well.
    (error: unknown) => error instanceof pg.DatabaseError,
  );
  if (!answers) return;
  throw new Error(
    'PostgreSQL is still running at DATABASE_OWNER_URL. Stop it: only the restored server may run there.',
  );
}

/**
 * Waits until the server at this address is the restored one and accepts writes. The restored server runs in this
 * folder, was started after the folder was prepared and is on a new timeline; other servers do not match all three.
 */
export async function awaitPromotion(options: {
  url: string;
  data: string;
  systemIdentifier: string;
  oldTimeline: number;
  /** When the folder was ready to start. */
  preparedAt: Date;
  timeoutMs: number;
  onProgress: (text: string) => void;
}): Promise<Promoted> {
  const deadline = Date.now() + options.timeoutMs;
  const pidFile = join(options.data, 'postmaster.pid');
  let hasRun = false;
  let lastError: string | undefined;
  for (;;) {
    const state = await withServer(options.url, readState).catch((error: Error) => {
      lastError = error.message;
    });
    if (state && state.systemIdentifier !== options.systemIdentifier)
      throw new Error(
        'Another cluster is running at DATABASE_OWNER_URL. Stop it and start the restored one.',
      );
    if (state && !state.inRecovery && state.timeline !== null) {
      if (
        state.timeline <= options.oldTimeline ||
        state.startedAt < options.preparedAt ||
        !existsSync(pidFile)
      )
        throw new Error(
          `The server at DATABASE_OWNER_URL does not run on ${options.data}. Stop it and start the restored one.`,
        );
      return { timeline: state.timeline, lastCommitAt: state.lastCommitAt };
    }
    if (state?.lastCommitAt) options.onProgress(`restored until ${state.lastCommitAt.toISOString()}`);
    const isRunning = existsSync(pidFile);
    if (hasRun && !isRunning)
      throw new Error(
        'PostgreSQL stopped before the restore was complete. See the end of its log. If the WAL ended before the target time, restore to an earlier time or with --to latest.',
      );
    hasRun ||= isRunning;
    if (Date.now() > deadline)
      throw new Error(
        `PostgreSQL was not restored within ${options.timeoutMs / 1000} s. Its log shows the progress; --wait allows more time.${lastError ? ` Last error from DATABASE_OWNER_URL: ${lastError}` : ''}`,
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
  if (!state) throw new Error('PostgreSQL returned no row.');
  return state;
}
