import { existsSync, mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import { freePort } from '../ports.ts';
import { type EndingStep, endProcess, politeThenKill } from '../process-identity.ts';
import { endAndRemove, type ProcessRecord } from '../process-records.ts';
import { UserError } from '../user-error.ts';
import { type RunningService, startService } from './service.ts';

export interface RedisOptions {
  dir: string;
  /** Default: a free port. */
  port?: number;
  /** Default: loopback. On another address, Redis accepts other clients even without a password. */
  address?: string;
  password?: string;
  name?: string;
  logFile?: string;
  outlives?: boolean;
}

export interface RunningRedis extends RunningService {
  readonly port: number;
  stop(mode?: 'polite' | 'kill'): Promise<void>;
  /** Also starts a server that has been killed; it starts empty. */
  restart(mode?: 'polite' | 'kill'): Promise<void>;
}

const endings: Record<'polite' | 'kill', EndingStep[]> = {
  polite: politeThenKill,
  kill: [{ signal: 'SIGKILL', waitMs: 5_000 }],
};

const answerTimeoutMs = 10_000;

export async function startRedis(options: RedisOptions): Promise<RunningRedis> {
  const port = options.port ?? (await freePort());
  mkdirSync(options.dir, { recursive: true });
  let entry = await startServer(options, port);

  return {
    url: redisUrl(port, options),
    port,
    get pid() {
      return entry.process.pid;
    },
    stop: (mode = 'polite') => endAndRemove(entry, endings[mode]),
    async restart(mode = 'polite') {
      await endProcess(entry.process, endings[mode]);
      entry = await startServer(options, port);
    },
  };
}

const loopback = '127.0.0.1';

export const redisUrl = (
  port: number,
  { address = loopback, password }: Pick<RedisOptions, 'address' | 'password'> = {},
): string => `redis://${password ? `:${password}@` : ''}${address}:${port}`;

export function findRedis(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, 'redis-server')).find((path) => existsSync(path));
}

function startServer(options: RedisOptions, port: number): Promise<ProcessRecord> {
  const command = findRedis();
  if (!command) throw new UserError('Redis is not installed. Run ./dev setup.');
  const settings = {
    port: String(port),
    bind: options.address ?? loopback,
    ...(options.address && { 'protected-mode': 'no' }),
    ...(options.password && { requirepass: options.password }),
    dir: options.dir,
    // Redis holds no durable data, so nothing is written to disk.
    save: '',
    appendonly: 'no',
    // Keeps the command line, by which the process is identified.
    'set-proc-title': 'no',
  };
  return startService({
    name: options.name ?? `redis-${port}`,
    command,
    args: Object.entries(settings).flatMap(([key, value]) => [`--${key}`, value]),
    commandIncludes: options.dir,
    logFile: options.logFile ?? join(options.dir, 'redis.log'),
    cwd: options.dir,
    ending: politeThenKill,
    outlives: options.outlives ?? false,
    isReady: () => redisAnswers(port, options.address ?? loopback),
  });
}

/** Returns whether a Redis responds, with or without a password. */
export function redisAnswers(port: number, address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, address, () => socket.write('PING\r\n'));
    const settle = (ready: boolean): void => {
      socket.destroy();
      resolve(ready);
    };
    socket.setTimeout(answerTimeoutMs, () => settle(false));
    socket.once('data', (reply) => settle(/^\+PONG|^-NOAUTH/.test(reply.toString('latin1'))));
    socket.once('error', () => settle(false));
  });
}
