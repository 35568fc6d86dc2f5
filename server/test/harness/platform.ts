import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { inject } from 'vitest';
import { type MailSink, startMailSink } from '../../../simulator/mail-sink/index.ts';
import { createSmtpTransport } from '../../src/adapters/mail/smtp.ts';
import { createPasswords } from '../../src/contexts/access/index.ts';
import { buildApp } from '../../src/http/app.ts';
import { type Config, readConfig } from '../../src/main/config.ts';
import { jobHandlers } from '../../src/main/jobs.ts';
import { type Api, type Overrides, wireApi } from '../../src/main/wire.ts';
import { createAccountShares } from '../../src/platform/db/account-shares.ts';
import { startWorking } from '../../src/platform/jobs.ts';
import type { RedisOptions } from '../../src/platform/redis/redis.ts';
import { createLogger } from '../../src/platform/telemetry/log.ts';
import type { Clock } from '../../src/platform/time.ts';
import { type Client, createClient } from './client.ts';
import { createClock, type MovableClock } from './clock.ts';
import { buildContract, type ContractCheck, type OpenApiDocument } from './contract.ts';
import { cloneDatabase, type TestDatabase } from './database.ts';
import { testDigestKeys } from './digest-keys.ts';

export interface Platform {
  config: Config;
  api: Api;
  app: FastifyInstance;
  clock: MovableClock;
  database: TestDatabase;
  document: OpenApiDocument;
  check: ContractCheck;
  /** Listens on a socket at the first use, on the given port or any, and returns its URL. */
  listen(port?: number): Promise<string>;
  /** Creates a client, without a token by default, from an unused address. */
  client(token?: string): Client;
  logLines: string[];
  /** Starts the worker and an SMTP sink on first use. */
  mail(): Promise<MailSink>;
  close(): Promise<void>;
}

interface PlatformOverrides extends Pick<Overrides, 'identity' | 'passwords' | 'placeCodeCall'> {
  /** A database that the caller created; closing the platform drops it. */
  database?: TestDatabase;
}

/** Starts a complete API in this process, with a separate database and separate Redis keys. */
export async function startPlatform(
  settings: Record<string, string> = {},
  { database: given, ...overrides }: PlatformOverrides = {},
): Promise<Platform> {
  const database = given ?? (await cloneDatabase());
  const config = readConfig({ ...testSettings(database.serviceUrl, inject('redisUrl')), ...settings });
  const clock = createClock();
  const logLines: string[] = [];
  const log = createLogger({ level: 'info', process: 'api' }, { write: (line) => void logLines.push(line) });
  const passwords = overrides.passwords ?? cheapPasswords();
  const api = await wireApi(config, { ...overrides, clock, passwords, log, redis: redisOptions(config) });
  // On a busy machine a request may wait long for a connection without the database being unavailable.
  const { db } = api.base;
  db.pool.options.connectionTimeoutMillis = 120_000;
  db.shares = createAccountShares(Math.floor(config.DATABASE_POOL_SIZE / 2), 120_000);
  if (api.redis.status !== 'ready') await new Promise((resolve) => api.redis.once('ready', resolve));
  const app = await buildApp(api.app);
  await app.ready();
  const { document, check } = buildContract(app);
  let listening: Promise<string> | undefined;
  const listen = (port = 0): Promise<string> => {
    listening ??= app.listen({ host: '127.0.0.1', port });
    return listening;
  };
  let mailing: Promise<{ sink: MailSink; stop(): Promise<void> }> | undefined;

  return {
    config,
    api,
    app,
    clock,
    database,
    document,
    check,
    logLines,
    listen,
    client: (token) => createClient(app, check, token),
    async mail() {
      mailing ??= startMailing(api, listen, clock);
      return (await mailing).sink;
    },
    async close() {
      await (await mailing)?.stop();
      await app.close();
      await api.close();
      await database.drop();
      await removeRecordings(config);
    },
  };
}

/** A platform that several test files use: its clock cannot be moved, no worker runs jobs, and it ends with its process. */
export type SharedPlatform = Omit<Platform, 'clock' | 'close' | 'logLines' | 'mail'> & { clock: Clock };

let shared: Promise<Platform> | undefined;

/**
 * Returns the platform of this test worker, with rate limits raised. For tests that read and write only accounts that
 * they create. Test files of a worker share their modules (`isolate: false`).
 */
export async function sharedPlatform(): Promise<SharedPlatform> {
  shared ??= startPlatform({ RATE_LIMIT_SCALE: '1000000' });
  return await shared;
}

/** Separate keys per test, and a long timeout: on a busy machine Redis may be slow without being unavailable. */
export const redisOptions = ({ DATABASE_URL }: Config): RedisOptions => ({
  keyPrefix: `${new URL(DATABASE_URL).pathname.slice(1)}:`,
  commandTimeout: 10_000,
  socketTimeout: 10_000,
});

/** The cheapest parameters that argon2 accepts: same algorithm, without the delay. */
export const cheapPasswords = () => createPasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 });

/** Removes only the recordings that this platform stored. */
async function removeRecordings({ STORAGE_URL }: Config): Promise<void> {
  if (STORAGE_URL.startsWith('file:')) await rm(fileURLToPath(STORAGE_URL), { recursive: true, force: true });
}

async function startMailing(
  api: Api,
  listen: () => Promise<string>,
  clock: MovableClock,
): Promise<{ sink: MailSink; stop(): Promise<void> }> {
  const sink = await startMailSink();
  // Listening, because some jobs call the API.
  const apiUrl = await listen();
  const transport = createSmtpTransport({
    url: sink.smtpUrl,
    tls: 'optional',
    from: 'Disca <no-reply@disca.test>',
  });
  const working = await startWorking(
    api.base.db,
    jobHandlers({ ...api.base, ...api.money, apiUrl, clock, transport, actions: {} }),
    {},
    () => undefined,
  );
  return {
    sink,
    async stop() {
      await working.stop(2_000);
      await transport.close();
      await sink.stop();
    },
  };
}

export const testSettings = (databaseUrl: string, redisUrl: string): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  DATABASE_POOL_SIZE: '10',
  REDIS_URL: redisUrl,
  PUBLIC_URL: 'http://api.disca.test',
  CONSOLE_URL: 'http://console.disca.test',
  // Tests of the console set the folder of its build.
  CONSOLE_DIR: 'no-console',
  MANUAL_DIR: 'no-manual',
  SMTP_URL: 'smtp://127.0.0.1:1',
  SMTP_TLS: 'optional',
  MAIL_FROM: 'Disca <no-reply@disca.test>',
  ACCOUNT_DOMAIN_SUFFIX: '.disca.test',
  // By default a stream returns the existing events; a test sets more to wait for new ones.
  EVENT_STREAM_SECONDS: '0',
  // There is no load balancer that has to detect the shutdown.
  SHUTDOWN_DELAY_MS: '0',
  KEY_RING: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  DIGEST_KEYS: testDigestKeys,
  STORAGE_URL: pathToFileURL(join(tmpdir(), 'disca-recordings', new URL(databaseUrl).pathname)).href,
});
