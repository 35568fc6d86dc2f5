import { chownSync, existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../ports.ts';
import { type EndingStep, endProcess } from '../process-identity.ts';
import { endAndRemove, type ProcessRecord } from '../process-records.ts';
import { capture } from '../run-command.ts';
import { UserError } from '../user-error.ts';
import { accessibleFolder, type PostgresUser, postgresProgram, postgresUser } from './postgres-programs.ts';
import { type RunningService, startService } from './service.ts';

export interface PostgresOptions {
  /** Contains the cluster and, by default, its log. */
  dir: string;
  /** Default: a free port. */
  port?: number;
  /** Without durability a crash may lose the cluster: for tests only. */
  durable: boolean;
  name?: string;
  /** Required from all clients by SCRAM; without it connections from loopback are trusted. */
  password?: string;
  logFile?: string;
  settings?: Record<string, string>;
  outlives?: boolean;
}

export type StopMode = 'fast' | 'immediate' | 'kill';

export interface RunningPostgres extends RunningService {
  readonly port: number;
  stop(mode?: StopMode): Promise<void>;
  /** Also starts a server that has been killed. Clusters, port and url stay the same. */
  restart(mode?: StopMode): Promise<void>;
  /** Stops it and removes its data. */
  drop(): Promise<void>;
}

export const ownerRole = 'disca_owner';

const endings: Record<StopMode, EndingStep[]> = {
  fast: [
    { signal: 'SIGINT', waitMs: 15_000 },
    { signal: 'SIGQUIT', waitMs: 5_000 },
    { signal: 'SIGKILL', waitMs: 5_000 },
  ],
  immediate: [
    { signal: 'SIGQUIT', waitMs: 10_000 },
    { signal: 'SIGKILL', waitMs: 5_000 },
  ],
  kill: [{ signal: 'SIGKILL', waitMs: 5_000 }],
};

const notDurable = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '2GB',
  checkpoint_timeout: '30min',
};

const restartTimeoutMs = 60_000;
const restartPauseMs = 200;
const connectTimeoutMs = 10_000;

export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const user = postgresUser();
  const port = options.port ?? (await freePort());
  const dataDir = await ensureCluster(options, user);
  const start = (): Promise<ProcessRecord> => startServer(options, port, dataDir, user);
  let entry = await start();

  return {
    url: postgresUrl({ port, user: ownerRole, password: options.password, database: 'postgres' }),
    port,
    get pid() {
      return entry.process.pid;
    },
    stop: (mode = 'fast') => endAndRemove(entry, endings[mode]),
    async restart(mode = 'fast') {
      await endProcess(entry.process, endings[mode]);
      entry = await startAfterDeath(start);
    },
    async drop() {
      await endAndRemove(entry, endings.immediate);
      // A process of pgBackRest in the background may still write to the folder, for a short time.
      rmSync(dirname(dataDir), { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/**
 * Starts a server with retries: orphaned backends of a killed server briefly hold its shared memory, and a new server
 * refuses to start.
 */
async function startAfterDeath(start: () => Promise<ProcessRecord>): Promise<ProcessRecord> {
  const deadline = Date.now() + restartTimeoutMs;
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(restartPauseMs);
    }
  }
}

async function ensureCluster(options: PostgresOptions, user: PostgresUser | undefined): Promise<string> {
  const folder = accessibleFolder(options.dir, user);
  const dataDir = join(folder, 'data');
  if (existsSync(dataDir)) return dataDir;

  // Renamed when complete: an interrupted initdb must not look like a cluster.
  const unfinished = join(folder, 'data.unfinished');
  rmSync(unfinished, { recursive: true, force: true });
  const passwordFile = join(folder, 'password.tmp');
  const authentication = options.password === undefined ? 'trust' : 'scram-sha-256';
  const args = [
    '-D',
    unfinished,
    '-U',
    ownerRole,
    '--auth',
    authentication,
    '--encoding=UTF8',
    '--locale=C.UTF-8',
  ];
  if (options.password !== undefined) {
    writeFileSync(passwordFile, options.password, { mode: 0o600 });
    if (user) chownSync(passwordFile, user.uid, user.gid);
    args.push('--pwfile', passwordFile);
  }
  if (!options.durable) args.push('--no-sync');
  const result = await capture(postgresProgram('initdb'), args, { cwd: folder, ...user });
  rmSync(passwordFile, { force: true });
  if (result.exitCode !== 0) throw new UserError(`initdb failed:\n${result.output}`);
  renameSync(unfinished, dataDir);
  return dataDir;
}

function startServer(
  options: PostgresOptions,
  port: number,
  dataDir: string,
  user: PostgresUser | undefined,
): Promise<ProcessRecord> {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '300',
    shared_buffers: '256MB',
    jit: 'off',
    ...(options.durable ? { fsync: 'on' } : notDurable),
    ...options.settings,
  };
  return startService({
    name: options.name ?? `postgres-${port}`,
    command: postgresProgram('postgres'),
    args: [
      '-D',
      dataDir,
      '-p',
      String(port),
      ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
    ],
    commandIncludes: dataDir,
    logFile: options.logFile ?? join(options.dir, 'postgres.log'),
    cwd: dataDir,
    ending: endings.fast,
    ...(user ? { user } : {}),
    outlives: options.outlives ?? false,
    isReady: () => answers(port, options.password),
  });
}

export function postgresUrl(parts: {
  port: number;
  user: string;
  password?: string | undefined;
  database: string;
}): string {
  const login =
    parts.password === undefined ? parts.user : `${parts.user}:${encodeURIComponent(parts.password)}`;
  return `postgres://${login}@127.0.0.1:${parts.port}/${parts.database}`;
}

async function answers(port: number, password: string | undefined): Promise<boolean> {
  const client = new pg.Client({
    connectionString: postgresUrl({ port, user: ownerRole, password, database: 'postgres' }),
    connectionTimeoutMillis: connectTimeoutMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch (error) {
    // The password was set when the cluster was created, so retrying does not help.
    if (error instanceof pg.DatabaseError && error.code === '28P01') {
      throw new UserError('PostgreSQL rejects the password kept in .dev/. Run ./dev reset to recreate it.');
    }
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
