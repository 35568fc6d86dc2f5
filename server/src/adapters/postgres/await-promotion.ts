import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { withServer } from './server-facts.ts';

export interface Promoted {
  timeline: number;
  /** The last commit that was brought back. */
  lastCommitAt: Date | null;
}

const pollMs = 200;

interface State {
  inRecovery: boolean;
  systemIdentifier: string;
  timeline: number | null;
  lastCommitAt: Date | null;
}

/**
 * Waits until the server at this address is the restored one and takes writes. Another cluster that answers there, or the
 * old one that was left running, is not taken for it: the restored one is on a new timeline.
 */
export async function awaitPromotion(options: {
  url: string;
  data: string;
  systemIdentifier: string;
  oldTimeline: number;
  patienceMs: number;
  onProgress: (text: string) => void;
}): Promise<Promoted> {
  const deadline = Date.now() + options.patienceMs;
  const pidFile = join(options.data, 'postmaster.pid');
  let hasRun = false;
  for (;;) {
    const state = await withServer(options.url, readState).catch(() => undefined);
    if (state && state.systemIdentifier !== options.systemIdentifier)
      throw new Error('Another cluster answers at DATABASE_OWNER_URL. Stop it, and start the restored one.');
    if (state && !state.inRecovery && state.timeline !== null) {
      if (state.timeline <= options.oldTimeline)
        throw new Error(
          'The old cluster still runs at DATABASE_OWNER_URL. Stop it, and start the restored one.',
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
        `PostgreSQL was not restored within ${options.patienceMs / 1000} s. Its own log says how far it is; --wait gives it longer.`,
      );
    await sleep(pollMs);
  }
}

async function readState(client: pg.Client): Promise<State> {
  const { rows } = await client.query<State>(
    `select pg_is_in_recovery() as "inRecovery",
            (select system_identifier::text from pg_control_system()) as "systemIdentifier",
            case when not pg_is_in_recovery()
                 then ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline,
            pg_last_xact_replay_timestamp() as "lastCommitAt"`,
  );
  const [state] = rows;
  if (!state) throw new Error('PostgreSQL says nothing of itself.');
  return state;
}
