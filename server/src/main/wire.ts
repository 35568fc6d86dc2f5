import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFindTxtRecords, createIdentityProviders } from '../adapters/identity/index.ts';
import { createAsaasGateway } from '../adapters/payments/asaas/index.ts';
import { openStorage } from '../adapters/storage/index.ts';
import { createGuardedFetch, createWebhookSender } from '../adapters/webhooks/index.ts';
import { createPasswords, createTokenUse, type Passwords } from '../contexts/access/index.ts';
import { createProveAddress } from '../contexts/accounts/index.ts';
import type { PlaceCodeCall } from '../contexts/caller-ids/index.ts';
import { createPlaceCodeCall, suspendCalling } from '../contexts/calls/index.ts';
import { createGateways, findSandboxPayment, type PaymentGateway } from '../contexts/charges/index.ts';
import { createEventWaiter, createProgressFeed } from '../contexts/events/index.ts';
import { linkExtensions } from '../contexts/extensions/index.ts';
import {
  createLoginHoldoff,
  createMailLimit,
  createRequestBudgets,
  createRequestLimiter,
  type MailLimit,
  type RequestLimiter,
} from '../contexts/limits/index.ts';
import { createMailQueue } from '../contexts/notifications/index.ts';
import type { RecordingStorage } from '../contexts/recordings/index.ts';
import { createRequestLog, type RequestLog } from '../contexts/requests/index.ts';
import { createSandboxGateway } from '../contexts/sandbox/index.ts';
import { openNodeDirectory } from '../contexts/telephony/index.ts';
import { createHostLimit } from '../contexts/webhooks/index.ts';
import type { AppDeps } from '../http/app.ts';
import { listenForProgress, publishProgress } from '../platform/call-progress.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { createDigestKeys, type DigestKeys } from '../platform/digest-keys.ts';
import { openJobQueue } from '../platform/jobs.ts';
import { createKeyRing, type KeyRing } from '../platform/keyring.ts';
import { microsFromReais } from '../platform/money.ts';
import { callableAddresses } from '../platform/network.ts';
import { openRedis, type RedisClient, type RedisOptions } from '../platform/redis/redis.ts';
import { listenForWakes, openWakeChannels, publishWake } from '../platform/redis/wake.ts';
import { createLogger, type Logger } from '../platform/telemetry/log.ts';
import { createMetrics, type Metrics, reading } from '../platform/telemetry/metrics.ts';
import { noTracing, openTracing, type Tracing } from '../platform/telemetry/tracing.ts';
import { type Clock, systemClock } from '../platform/time.ts';
import type { Config } from './config.ts';
import { exportConnections, longQueryConnections } from './connections.ts';
import { createInstruments, type Instruments } from './observe/instruments.ts';
import { createObserver, type Observer } from './observe/observer.ts';
import { createRequestObserver } from './observe/requests.ts';

/** Resources of every process. */
export interface Base {
  log: Logger;
  metrics: Metrics;
  instruments: Instruments;
  tracing: Tracing;
  observer: Observer;
  clock: Clock;
  db: Database;
  /** One connection, opened on demand, for statements that may take minutes. */
  longQueryDb: Database;
  /** Connections for exports of calls, opened on demand. */
  exportDb: Database;
  storage: RecordingStorage;
  retentionDays: number;
  keyRing: KeyRing;
  digestKeys: DigestKeys;
  callRetentionMonths: number;
  eventRetentionDays: number;
  deliveryRetentionDays: number;
}

export interface Overrides {
  clock?: Clock;
  passwords?: Passwords;
  log?: Logger;
  tracing?: Tracing;
  redis?: RedisOptions;
  placeCodeCall?: PlaceCodeCall;
  /** Where identity providers and their DNS records are found, and an authority that certifies them. */
  identity?: { nameServers: string[]; certificateAuthority: string };
}

export function wireBase(config: Config, process: string, overrides: Overrides = {}): Base {
  const log = overrides.log ?? createLogger({ level: config.LOG_LEVEL, process });
  const metrics = createMetrics(process);
  const open = (poolSize: number, statementTimeoutMs: number, maxWaitMs?: number): Database =>
    openDatabase(
      {
        url: config.DATABASE_URL,
        poolSize,
        applicationName: `disca-${process}`,
        statementTimeoutMs,
        ...(maxWaitMs === undefined ? {} : { maxWaitMs }),
      },
      (error) => log.warn({ err: error }, 'idle database connection failed'),
    );
  const db = open(config.DATABASE_POOL_SIZE, config.STATEMENT_TIMEOUT_MS);
  const instruments = createInstruments(metrics, process);
  const tracing = overrides.tracing ?? noTracing;
  showPool(instruments, db, config.DATABASE_POOL_SIZE);
  return {
    log,
    metrics,
    instruments,
    tracing,
    observer: createObserver(instruments, tracing),
    clock: overrides.clock ?? systemClock,
    db,
    longQueryDb: open(longQueryConnections, longStatementMs),
    exportDb: open(exportConnections, config.STATEMENT_TIMEOUT_MS, exportWaitMs),
    storage: openStorage({
      url: config.STORAGE_URL,
      accessKeyId: config.S3_ACCESS_KEY_ID,
      secretAccessKey: config.S3_SECRET_ACCESS_KEY,
    }),
    retentionDays: config.RECORDING_RETENTION_DAYS,
    keyRing: createKeyRing(config.KEY_RING),
    digestKeys: createDigestKeys(config.DIGEST_KEYS),
    callRetentionMonths: config.CALL_RETENTION_MONTHS,
    ...logRetention(config),
  };
}

const longStatementMs = 600_000;
/** Each export waits for the steps of the others, and failing would abort the file. */
const exportWaitMs = 30_000;

export async function closeBase({ storage, longQueryDb, exportDb, db, tracing }: Base): Promise<void> {
  storage.close();
  await longQueryDb.close();
  await exportDb.close();
  await db.close();
  await tracing.close();
}

function showPool(instruments: Instruments, { pool }: Database, size: number): void {
  instruments.gauge('disca_database_pool_size', () => reading(size));
  instruments.gauge('disca_database_connections', () => reading(pool.totalCount));
  instruments.gauge('disca_database_idle', () => reading(pool.idleCount));
  instruments.gauge('disca_database_waiting', () => reading(pool.waitingCount));
}

/** Exports traces to the configured collector; a no-op without one. */
export const wireTracing = (
  config: Pick<
    Config,
    'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_TRACES_SAMPLER_ARG'
  >,
  process: string,
): Promise<Tracing> =>
  openTracing(
    config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
      ? undefined
      : {
          endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
          headers: config.OTEL_EXPORTER_OTLP_HEADERS ?? {},
          ratio: config.OTEL_TRACES_SAMPLER_ARG,
          service: `disca-${process}`,
          version: versionOf(),
        },
  );

export const showRedis = (instruments: Instruments, redis: RedisClient): void =>
  instruments.gauge('disca_redis_connected', () => reading(redis.status === 'ready' ? 1 : 0));

function logRetention(config: Config) {
  const { EVENT_RETENTION_DAYS: eventRetentionDays, DELIVERY_RETENTION_DAYS: deliveryRetentionDays } = config;
  if (eventRetentionDays < deliveryRetentionDays)
    throw new Error(
      'EVENT_RETENTION_DAYS must be at least DELIVERY_RETENTION_DAYS: a delivery needs its event.',
    );
  return { eventRetentionDays, deliveryRetentionDays };
}

/** Channel that announces work for call control: of any node, or of the node named. */
export const voiceChannel = (node?: string): string =>
  node === undefined ? 'disca:voice' : `disca:voice:${node}`;

/** Channel that announces newly numbered events. */
export const eventChannel = 'disca:events';

/** Opens the additional resources of processes that move money. */
export async function wireMoney(config: Config, { log, db, clock, keyRing }: Base, mayMail?: MailLimit) {
  const jobs = await openJobQueue(db, (error) => log.error({ err: error }, 'job queue failed'));
  const publicUrl = withoutSlash(config.PUBLIC_URL);
  const sandbox = createSandboxGateway({ db, clock, keyRing, publicUrl });
  return {
    jobs,
    publicUrl,
    apiUrl: withoutSlash(config.API_URL ?? config.PUBLIC_URL),
    consoleUrl: withoutSlash(config.CONSOLE_URL),
    queueMail: createMailQueue({ jobs, keyRing, clock, ...(mayMail ? { mayMail } : {}) }),
    gateways: createGateways(sandbox, liveGateway(config, clock)),
    feeMicros: microsFromReais(config.CHARGE_FEE),
    suspendCalling,
  };
}

function liveGateway(config: Config, clock: Clock): PaymentGateway | undefined {
  const { ASAAS_URL: baseUrl, ASAAS_API_KEY: apiKey, ASAAS_WEBHOOK_TOKEN: webhookToken } = config;
  if (!apiKey && !webhookToken) return undefined;
  if (apiKey && webhookToken) return createAsaasGateway({ baseUrl, apiKey, webhookToken, clock });
  throw new Error('ASAAS_API_KEY and ASAAS_WEBHOOK_TOKEN must be set together: set both or neither.');
}

const withoutSlash = (url: string): string => url.replace(/\/$/, '');

export type Money = Awaited<ReturnType<typeof wireMoney>>;

export interface Api {
  base: Base;
  money: Money;
  redis: RedisClient;
  app: AppDeps;
  close(): Promise<void>;
}

export async function wireApi(config: Config, overrides: Overrides = {}): Promise<Api> {
  const phoneSessions = phoneSessionSettings(config);
  const base = wireBase(config, 'api', overrides);
  const { log, instruments, tracing, clock, db, keyRing, observer } = base;
  const redis = openRedis(
    config.REDIS_URL,
    (error) => log.warn({ err: error }, 'redis unavailable'),
    overrides.redis,
  );
  showRedis(instruments, redis);
  const { limiter, onFallback } = wireLimiter(config, base, redis);
  const money = await wireMoney(config, base, wireMailLimit(base, limiter));
  const tokenUse = createTokenUse(db, (error) => log.warn({ err: error }, 'token use not recorded'));
  const requestLog = config.REQUEST_LOG === 'on' ? wireRequestLog(base) : undefined;
  const nodes = wireNodeDirectory(base);
  const events = wireEvents(config, db, overrides);
  const customers = wireCustomerServers(config, overrides);
  const app: AppDeps = {
    log,
    db,
    longQueryDb: base.longQueryDb,
    exportDb: base.exportDb,
    eventWatch: events.watch,
    callProgress: events.callProgress,
    ...customers.deps,
    hostLimit: createHostLimit(limiter, config.WEBHOOK_HOST_RATE),
    eventHeartbeatMs: config.EVENT_HEARTBEAT_MS,
    eventStreamSeconds: config.EVENT_STREAM_SECONDS,
    retentionDays: base.retentionDays,
    callRetentionMonths: base.callRetentionMonths,
    eventRetentionDays: base.eventRetentionDays,
    deliveryRetentionDays: base.deliveryRetentionDays,
    clock,
    keyRing,
    digestKeys: base.digestKeys,
    storage: base.storage,
    tokenUse,
    requestBudgets: createRequestBudgets({ db, clock }),
    limiter,
    holdoff: createLoginHoldoff(redis, clock, onFallback),
    passwords: overrides.passwords ?? createPasswords(),
    ...money,
    findPayment: findSandboxPayment,
    linkExtensions,
    placeCodeCall: overrides.placeCodeCall ?? createPlaceCodeCall({ ...money, keyRing }),
    publishAvailability: (accountId, userId, at) => publishProgress(redis, accountId, { userId, at }),
    wakeVoice: (work, node) => publishWake(redis, voiceChannel(node), work),
    chooseNode: nodes.choose,
    observer,
    observeRequest: createRequestObserver(instruments, tracing),
    requestLog,
    ...signupSettings(config),
    phoneSessions,
    softphones: { tls: config.EDGE_TLS_ADDRESS ?? null, plain: config.EDGE_SIP_ADDRESS ?? null },
    trustedProxies: config.TRUSTED_PROXIES,
    ...consoleSettings(config),
    manualDir: resolve(fileURLToPath(checkout), config.MANUAL_DIR),
    version: versionOf(),
  };
  return {
    base,
    money,
    redis,
    app,
    async close() {
      for (const each of [nodes, events]) each.close();
      await customers.close();
      await tokenUse.close();
      await requestLog?.close();
      await money.jobs.close();
      redis.disconnect();
      await closeBase(base);
    },
  };
}

const signupSettings = (config: Config) => ({
  proveAddress: createProveAddress(config.DEFAULT_ACCOUNT_MODE),
  needsApproval: config.SIGNUP_APPROVAL === 'on',
  signupRules: {
    domainSuffix: config.ACCOUNT_DOMAIN_SUFFIX,
    crmNames: config.CRM_NAMES,
    termsUrl: config.TERMS_URL ?? null,
  },
});

const consoleSettings = (config: Config) => ({
  consoleDir: resolve(fileURLToPath(checkout), config.CONSOLE_DIR),
  consoleConnects: consoleConnects(config),
  consoleIdleSeconds: config.CONSOLE_IDLE_MINUTES * 60,
});

/** Opens what event streams listen to: newly numbered events, and progress of calls. */
function wireEvents(config: Config, db: Base['db'], { redis }: Overrides) {
  const wakes = listenForWakes(config.REDIS_URL, eventChannel, redis);
  const watch = createEventWaiter(db, wakes);
  const channels = openWakeChannels(config.REDIS_URL, redis);
  const callProgress = createProgressFeed(db, (accountId, onProgress) =>
    listenForProgress(channels, accountId, onProgress),
  );
  const close = (): void => {
    for (const each of [watch, wakes, channels]) each.close();
  };
  return { watch, callProgress, close };
}

/** Opens what sends requests to servers of customers: webhooks, and identity providers under the same rules. */
function wireCustomerServers({ WEBHOOK_ALLOWED_NETWORKS: allowedNetworks }: Config, { identity }: Overrides) {
  const sender = createWebhookSender({ allowedNetworks });
  const guarded = createGuardedFetch({ allowedNetworks, ...identity });
  return {
    deps: {
      sender,
      mayCall: callableAddresses(allowedNetworks),
      identityProviders: createIdentityProviders(guarded),
      findTxtRecords: createFindTxtRecords(identity?.nameServers),
    },
    async close() {
      await sender.close();
      await guarded.close();
    },
  };
}

function wireMailLimit({ instruments }: Base, limiter: RequestLimiter): MailLimit {
  const onWithheld = instruments.counter('disca_mails_withheld_total');
  return createMailLimit(limiter, () => onWithheld());
}

export function wireLimiter(config: Config, { instruments }: Base, redis: RedisClient) {
  const count = instruments.counter('disca_limiter_fallbacks_total');
  const onFallback = (): void => count();
  return { limiter: createRequestLimiter(redis, config.RATE_LIMIT_SCALE, onFallback), onFallback };
}

const wireNodeDirectory = ({ db, log }: Base) =>
  openNodeDirectory(db, (err) =>
    log.warn({ err }, 'media nodes could not be read; keeping the previous ones'),
  );

function wireRequestLog({ db, log, instruments }: Base): RequestLog {
  const countLost = instruments.counter('disca_requests_not_recorded_total');
  return createRequestLog({
    db,
    onLost(count, error) {
      countLost({}, count);
      if (error !== undefined) log.warn({ err: error, count }, 'requests not recorded');
    },
  });
}

const checkout = new URL('../../../', import.meta.url);

function phoneSessionSettings(config: Config): AppDeps['phoneSessions'] {
  const { TURN_URLS: urls, TURN_SECRET: secret } = config;
  if (urls.length > 0 !== (secret !== undefined))
    throw new Error('TURN_URLS and TURN_SECRET must be set together: set both or neither.');
  return {
    lifetimeSeconds: config.PHONE_SESSION_SECONDS,
    websocketUrls: config.EDGE_WEBSOCKET_URLS,
    turn: secret === undefined ? undefined : { urls, secret },
  };
}

/** Origins that the console's phone connects to: the configured ones and those of the edges. */
const consoleConnects = (config: Config): string[] => [
  ...new Set([...config.EDGE_WEBSOCKET_URLS.map((each) => new URL(each).origin), ...config.CONSOLE_CONNECTS]),
];

function versionOf(): string {
  const text = readFileSync(new URL('package.json', checkout), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
