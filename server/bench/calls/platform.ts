import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inDev } from '../../../tools/dev/paths.ts';
import { freePort } from '../../../tools/dev/ports.ts';
import type { RunningAsterisk } from '../../../tools/dev/services/asterisk.ts';
import type { RunningKamailio } from '../../../tools/dev/services/kamailio.ts';
import { type RunningRedis, startRedis } from '../../../tools/dev/services/redis.ts';
import {
  asText,
  chooseCell,
  edgeAddresses,
  edgePublic,
  type SipAddress,
  type VoiceCell,
} from '../../../tools/dev/voice/cell.ts';
import { testDigestKeys } from '../../test/harness/digest-keys.ts';
import { insertDeck, type OwnerQuery } from '../../test/harness/fixtures/billing-rows.ts';
import { pinService } from '../measure/machine.ts';
import { openOwner } from '../owner-pool.ts';
import { type Checkout, thisCheckout } from './checkout.ts';
import { recordCommits, steps } from './commits.ts';
import { type DatabaseUrls, freshDatabase } from './database.ts';
import { type BenchNode, startNode } from './media-node.ts';
import { type Program, startProgram } from './program.ts';

export type ProgramName = 'api' | 'worker' | 'voice' | 'shipper';

export interface PlatformOptions {
  adminUrl: string;
  /** Distinguishes platforms that run at the same time. Default: calls. */
  name?: string;
  /** Version of the service. Default: this one. */
  checkout?: Checkout;
  /** Whether to keep CPU profiles. */
  profile?: boolean;
  /** Whether to record every step of a call, and every SIP message. Default: answers only. */
  traced?: boolean;
}

/** One edge, one media node, Redis and a database, and the programs that a benchmark starts on demand. */
export interface CallPlatform {
  name: string;
  traced: boolean;
  checkout: Checkout;
  dir: string;
  apiOrigin: string;
  urls: DatabaseUrls;
  serviceUrl: string;
  edgeUrl: string;
  voicePort: number;
  redis: RunningRedis;
  edge: RunningKamailio;
  edgePlace: SipAddress;
  cell: VoiceCell;
  phones: SipAddress;
  carrier: SipAddress;
  node: RunningAsterisk;
  /** The media nodes that the service controls. */
  nodes: BenchNode[];
  query: OwnerQuery;
  /** Resolves when these have no channels left; returns how many had to be ended. */
  idle(): Promise<number>;
  start(name: ProgramName): Promise<Program>;
  /** Starts another media node for the service. */
  addNode(number: number): Promise<BenchNode>;
  /** Starts a media node for another program, which the caller must stop. */
  startForeignNode(number: number, voicePort: number): Promise<BenchNode>;
  stop(): Promise<void>;
}

const flood = 1_000_000;

export async function startCallPlatform(options: PlatformOptions): Promise<CallPlatform> {
  const { adminUrl, name = 'calls', profile = false, traced = false } = options;
  const checkout = options.checkout ?? (await thisCheckout());
  const dir = inDev('bench', name);
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const urls = await freshDatabase(adminUrl, `disca_bench_${name}`, checkout);
  const owner = openOwner(urls.owner, 2);
  const { query } = owner;
  const cell = await chooseCell();
  const carrier = { address: `${cell.network}.51`, port: cell.port };
  await insertRows(query, asText(carrier));
  await recordCommits(query, traced ? steps : ['answered']);
  const [httpPort, voicePort] = [await freePort(), await freePort()];
  const nodes: BenchNode[] = [];
  const startNumbered = (number: number, port: number): Promise<BenchNode> =>
    startNode({ checkout, platform: name, dir, cell, number, voicePort: port, query });
  const addNode = async (number: number): Promise<BenchNode> => {
    const node = await startNumbered(number, voicePort);
    nodes.push(node);
    return node;
  };
  const [redis, edge, first] = await Promise.all([
    startRedis({ dir: join(dir, 'redis'), name: `bench-${name}-redis` }),
    startEdge(checkout, name, dir, cell, urls.edge),
    addNode(1),
  ]);
  pinService(redis.pid, edge.pid);
  const env = {
    ...buildSettings(dir, urls.service, redis.url),
    HTTP_PORT: String(httpPort),
    VOICE_PORT: String(voicePort),
    CONTROL_URL: `http://127.0.0.1:${voicePort}`,
    NODE_NAME: first.name,
    NODE_SECRET: first.secret,
    RECORDS_FILE: join(first.node.dir, 'log/cdr-custom/cdr.json'),
    RECORDINGS_DIRECTORY: join(first.node.dir, 'recordings'),
  };
  const { root } = checkout;
  return {
    ...{ name, traced, checkout, dir, urls, voicePort, redis, edge, cell, carrier, query, nodes, addNode },
    apiOrigin: `http://127.0.0.1:${httpPort}`,
    serviceUrl: urls.service,
    edgeUrl: urls.edge,
    edgePlace: edgePublic(cell),
    phones: { address: `${cell.network}.50`, port: cell.port },
    node: first.node,
    startForeignNode: startNumbered,
    idle: async () =>
      (await Promise.all(nodes.map(({ idle }) => idle()))).reduce((sum, left) => sum + left, 0),
    start: (program) =>
      startProgram({
        ...{ root, dir, env, profile },
        name: `${name}-${program}`,
        file: `server/src/main/${program}.ts`,
      }),
    async stop() {
      await Promise.all([edge.stop('kill'), ...nodes.map(({ node }) => node.stop('kill')), redis.stop()]);
      await owner.close();
    },
  };
}

async function insertRows(query: OwnerQuery, carrier: string): Promise<void> {
  await query(
    `insert into trunks (name, mode, address, default_caller_id, created_at)
     values ('bench', 'test', $1, '551130000000', now())`,
    [carrier],
  );
  await insertDeck(query, [{ prefix: '55', price: 0.6 }]);
}

const startEdge = (
  checkout: Checkout,
  name: string,
  dir: string,
  cell: VoiceCell,
  databaseUrl: string,
): Promise<RunningKamailio> =>
  checkout.startEdge({
    name: `bench-${name}-edge`,
    dir: join(dir, 'edge'),
    addresses: edgeAddresses(cell),
    databaseUrl,
    nonceSecret: randomBytes(16).toString('hex'),
    dialogSecret: randomBytes(16).toString('hex'),
    digestKeys: testDigestKeys,
    // All SIPp phones share one address; their requests must not count as a flood.
    limits: { FLOOD_REQUESTS: flood, PEERS_SECONDS: 1 },
  });

const buildSettings = (dir: string, serviceUrl: string, redisUrl: string): Record<string, string> => ({
  DATABASE_URL: serviceUrl,
  // More connections would only compete on a machine this small.
  DATABASE_POOL_SIZE: '8',
  REDIS_URL: redisUrl,
  HTTP_HOST: '127.0.0.1',
  VOICE_HOST: '127.0.0.1',
  PUBLIC_URL: 'http://api.disca.test',
  CONSOLE_URL: 'http://console.disca.test',
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'Disca <no-reply@disca.test>',
  ACCOUNT_DOMAIN_SUFFIX: '.disca.test',
  KEY_RING: `k1:${randomBytes(32).toString('base64')}`,
  STORAGE_URL: pathToFileURL(join(dir, 'recordings')).href,
  TRUSTED_PROXIES: '127.0.0.1',
  RATE_LIMIT_SCALE: '1000000',
  NODE_MAX_CALLS: '5000',
  // Nothing has to finish after the last measurement.
  SHUTDOWN_DELAY_MS: '0',
  SHUTDOWN_GRACE_MS: '1000',
});
