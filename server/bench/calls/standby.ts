import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { inDev } from '../../../tools/dev/paths.ts';
import { capture } from '../../../tools/dev/run-command.ts';
import { startPostgres } from '../../../tools/dev/services/postgres.ts';
import {
  accessibleFolder,
  postgresProgram,
  postgresUser,
} from '../../../tools/dev/services/postgres-programs.ts';
import { until } from '../../test/harness/until.ts';

/** A synchronous standby of the benchmark's PostgreSQL. It runs on the CPU of the load generator. */
export interface Standby {
  /** Connects it, and lets every commit on the primary wait for it. */
  attach(): Promise<void>;
  /** Lets the primary commit on its own, and disconnects the standby. */
  detach(): Promise<void>;
  stop(): Promise<void>;
}

/** Copies the primary and starts the copy as a standby that is not connected. */
export async function startStandby(ownerUrl: string): Promise<Standby> {
  const user = postgresUser();
  const folder = accessibleFolder(inDev('bench', 'standby'), user);
  const data = join(folder, 'data');
  rmSync(data, { recursive: true, force: true });
  const { hostname, port, username } = new URL(ownerUrl);
  const connection = `host=${hostname} port=${port} user=${username}`;
  const copied = await capture(
    postgresProgram('pg_basebackup'),
    ['--pgdata', data, '--checkpoint', 'fast', '--write-recovery-conf', '--dbname', connection],
    { cwd: dirname(data), ...user },
  );
  if (copied.exitCode !== 0) throw new Error(`pg_basebackup failed:\n${copied.output}`);
  const server = await startPostgres({
    dir: folder,
    durable: true,
    name: 'bench-standby',
    settings: { wal_retrieve_retry_interval: '200ms' },
  });
  const [primary, standby] = [new pg.Client(ownerUrl), new pg.Client(server.url)];
  await Promise.all([primary.connect(), standby.connect()]);

  const set = async (client: pg.Client, setting: string, value: string): Promise<void> => {
    await client.query(`alter system set ${setting} = '${value}'`);
    await client.query('select pg_reload_conf()');
  };
  const untilPrimary = (condition: string, what: string): Promise<unknown> =>
    until(async () => (await primary.query(`select ${condition} as met`)).rows[0].met, what);
  const detach = async (): Promise<void> => {
    await set(primary, 'synchronous_standby_names', '');
    await set(standby, 'primary_conninfo', '');
    await untilPrimary('not exists (select from pg_stat_replication)', 'the standby is disconnected');
  };
  await detach();
  return {
    async attach() {
      await set(standby, 'primary_conninfo', connection);
      await untilPrimary(
        `exists (select from pg_stat_replication
          where state = 'streaming' and pg_wal_lsn_diff(sent_lsn, replay_lsn) < 65536)`,
        'the standby has received everything',
      );
      await set(primary, 'synchronous_standby_names', '*');
      await untilPrimary(
        `exists (select from pg_stat_replication where sync_state = 'sync')`,
        'the standby is synchronous',
      );
    },
    detach,
    async stop() {
      await detach();
      await Promise.all([primary.end(), standby.end()]);
      await server.stop('immediate');
      rmSync(data, { recursive: true, force: true });
    },
  };
}
