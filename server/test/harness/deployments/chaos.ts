import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { inDev } from '../../../../tools/dev/paths.ts';
import { freePort } from '../../../../tools/dev/ports.ts';
import { type Stores, startStores } from '../../scenarios/chaos/stores.ts';
import { type ProgramName, type Supervised, supervise } from '../../scenarios/chaos/supervised.ts';
import { testDigestKeys } from '../digest-keys.ts';
import { insertDeck, type OwnerQuery } from '../fixtures/billing-rows.ts';
import { chooseCell, type Engines, nodeAddress, startEngines } from '../voice/engines.ts';

export const killTargets = [
  'api',
  'worker',
  'voice',
  'shipper',
  'redis',
  'postgres',
  'kamailio',
  'asterisk',
] as const;
export type KillTarget = (typeof killTargets)[number];

/** A complete separate deployment: stores, programs, edge, media node, and a simulator that calls and answers. */
export interface ChaosDeployment {
  dir: string;
  /** Two, as behind a load balancer: while one restarts, the other one serves requests. */
  apiUrls: [string, string];
  serviceUrl: string;
  engines: Engines;
  programs: Supervised[];
  query: OwnerQuery;
  /** Kills a process and waits until it has been restarted. */
  kill(target: KillTarget): Promise<void>;
  /** Stops everything; with `keepsLogs`, the logs are kept for inspection. */
  stop(keepsLogs?: boolean): Promise<void>;
}

const pricePerMinute = 0.6;
const readyMs = 180_000;
const maxStarts = 40;
const restartPauseMs = 300;
const nodeName = 'm1';
/** Long enough for a pause of the machine, short enough to end a party whose media node died. */
const rtpTimeoutSeconds = 8;

export async function startChaosDeployment(): Promise<ChaosDeployment> {
  const dir = inDev('chaos', randomBytes(4).toString('hex'));
  mkdirSync(dir, { recursive: true });
  const stores = await startStores(dir);
  const { query, postgres, redis, serviceUrl } = stores;
  const cell = await chooseCell();
  const nodeSecret = randomBytes(18).toString('base64url');
  await query(
    'insert into media_nodes (name, secret_hash, sip_address, created_at) values ($1, $2, $3, now())',
    [nodeName, createHash('sha256').update(nodeSecret).digest(), nodeAddress(cell)],
  );
  await insertDeck(query, [{ prefix: '55', price: pricePerMinute }]);
  const ports: Ports = { first: await freePort(), second: await freePort(), voice: await freePort() };
  const programs = await startPrograms(dir, stores, ports);
  const engines = await startEngines({
    cell,
    edgeDatabaseUrl: stores.edgeUrl,
    controlUrl: `ws://127.0.0.1:${ports.voice}/asterisk`,
    nodeSecret,
    partyRtpTimeoutSeconds: rtpTimeoutSeconds,
  });
  await query(
    `insert into trunks (name, mode, address, default_caller_id, created_at)
     values ('simulator', 'test', $1, '551130000000', now())`,
    [engines.simulator.carrier],
  );
  programs.push(await startShipper(dir, engines, ports, nodeSecret));
  const engineOf = {
    redis: () => redis.restart('kill'),
    postgres: () => postgres.restart('immediate'),
    kamailio: () => startAgain(() => engines.edge.restart('kill')),
    asterisk: () => engines.node.engine.restart('kill'),
  };

  return {
    dir,
    apiUrls: [`http://127.0.0.1:${ports.first}/api/v1`, `http://127.0.0.1:${ports.second}/api/v1`],
    serviceUrl,
    engines,
    programs,
    query,
    async kill(target) {
      if (target in engineOf) await engineOf[target as keyof typeof engineOf]();
      else await minKilled(programs, target)?.kill();
    },
    async stop(keepsLogs = false) {
      await Promise.all(programs.map((each) => each.stop()));
      await engines.stop();
      await stores.stop();
      if (!keepsLogs) rmSync(dir, { recursive: true, force: true });
    },
  };
}

interface Ports {
  /** Port of the first API. */
  first: number;
  second: number;
  voice: number;
}

async function startPrograms(dir: string, stores: Stores, ports: Ports): Promise<Supervised[]> {
  const env = { ...buildSettings(dir, stores.serviceUrl, stores.redis.url), VOICE_PORT: String(ports.voice) };
  const start = async (name: ProgramName, httpPort = ports.first): Promise<Supervised> => {
    const opsPort = await freePort();
    const own = { HTTP_PORT: String(httpPort), OPS_PORT: String(opsPort) };
    const started = supervise(name, { dir, env: { ...env, ...own } });
    await untilReady(`http://127.0.0.1:${opsPort}/health/ready`);
    return started;
  };
  return await Promise.all([
    start('api', ports.first),
    start('api', ports.second),
    start('worker'),
    start('voice'),
  ]);
}

const startShipper = async (
  dir: string,
  { node }: Engines,
  ports: Ports,
  nodeSecret: string,
): Promise<Supervised> =>
  supervise('shipper', {
    dir,
    env: {
      CONTROL_URL: `http://127.0.0.1:${ports.voice}`,
      NODE_NAME: nodeName,
      NODE_SECRET: nodeSecret,
      RECORDS_FILE: node.detailRecords,
      RECORDINGS_DIRECTORY: node.recordingsDir,
      OPS_PORT: String(await freePort()),
    },
  });

const minKilled = (programs: Supervised[], target: string): Supervised | undefined =>
  programs.filter(({ name }) => name === target).toSorted((a, b) => a.kills - b.kills)[0];

/** Retries like a supervisor would, because an edge does not start without its database. */
async function startAgain(restart: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await restart();
    } catch (error) {
      if (attempt === maxStarts) throw error;
      await sleep(restartPauseMs);
    }
  }
}

async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + readyMs;
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    if (Date.now() > deadline) throw new Error(`${url} is not ready.`);
    await sleep(100);
  }
}

export const buildSettings = (
  dir: string,
  databaseUrl: string,
  redisUrl: string,
): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  DATABASE_POOL_SIZE: '10',
  REDIS_URL: redisUrl,
  HTTP_HOST: '127.0.0.1',
  VOICE_HOST: '127.0.0.1',
  PUBLIC_URL: 'http://api.disca.test',
  CONSOLE_URL: 'http://console.disca.test',
  SMTP_URL: 'smtp://127.0.0.1:1',
  SMTP_TLS: 'optional',
  MAIL_FROM: 'Disca <no-reply@disca.test>',
  ACCOUNT_DOMAIN_SUFFIX: '.disca.test',
  KEY_RING: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  DIGEST_KEYS: testDigestKeys,
  STORAGE_URL: pathToFileURL(join(dir, 'recordings')).href,
  TRUSTED_PROXIES: '127.0.0.1',
  RATE_LIMIT_SCALE: '1000',
});
