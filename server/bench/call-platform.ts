import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { withClient } from '../../tools/dev/database.ts';
import { inDev, root } from '../../tools/dev/paths.ts';
import { freePort } from '../../tools/dev/ports.ts';
import { politeThenKill } from '../../tools/dev/process-identity.ts';
import { endAndRemove } from '../../tools/dev/process-records.ts';
import type { RunningAsterisk } from '../../tools/dev/services/asterisk.ts';
import type { RunningKamailio } from '../../tools/dev/services/kamailio.ts';
import { startService } from '../../tools/dev/services/service.ts';
import {
  asText,
  chooseCell,
  edgeAddresses,
  edgePublic,
  mediaNodeAddress,
  type SipAddress,
  type VoiceCell,
} from '../../tools/dev/voice/cell.ts';
import { startEdge as startEdgeAt } from '../../tools/dev/voice/edge.ts';
import { startMediaNode } from '../../tools/dev/voice/media-node.ts';
import { migrate } from '../src/main/migrate.ts';
import { insertDeck, type OwnerQuery } from '../test/harness/fixtures/billing-rows.ts';
import { databaseUrl } from '../test/harness/template.ts';

export type ProgramName = 'api' | 'worker' | 'voice' | 'shipper';

export interface Program {
  pid: number;
  stop(): Promise<void>;
}

/** One edge, one media node and a database, and the programs that a benchmark starts on demand. */
export interface CallPlatform {
  dir: string;
  apiOrigin: string;
  serviceUrl: string;
  edgeUrl: string;
  voicePort: number;
  edge: RunningKamailio;
  edgePlace: SipAddress;
  cell: VoiceCell;
  phones: SipAddress;
  carrier: SipAddress;
  node: RunningAsterisk;
  query: OwnerQuery;
  /** Resolves when the media node has no channels left; returns how many had to be ended. */
  idle(): Promise<number>;
  start(name: ProgramName): Promise<Program>;
  stop(): Promise<void>;
}

const database = 'disca_bench_calls';
const roles = { service: 'bench_app', edge: 'bench_edge' };
const nodeName = 'm1';
/** Long, because this benchmark sends no audio that would keep the calls alive. */
const rtpTimeoutSeconds = 600;
const flood = 1_000_000;
const maxIdleWaitMs = 15_000;

export async function startCallPlatform(
  adminUrl: string,
  redisUrl: string,
  profile: boolean,
): Promise<CallPlatform> {
  const dir = inDev('bench', 'calls');
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const urls = await freshDatabase(adminUrl, database);
  const owner = new pg.Pool({ connectionString: urls.owner, max: 2 });
  const query: OwnerQuery = async (text, values = []) => (await owner.query(text, values)).rows;
  const cell = await chooseCell();
  const secret = randomBytes(18).toString('base64url');
  const carrier = { address: `${cell.network}.21`, port: cell.port };
  await insertRows(query, cell, secret, asText(carrier));
  const [httpPort, voicePort] = [await freePort(), await freePort()];
  const ariPassword = randomBytes(12).toString('base64url');
  const [edge, node] = await Promise.all([
    startEdge(dir, cell, urls.edge),
    startMediaNode({
      node: nodeName,
      name: 'bench-node',
      dir: join(dir, nodeName),
      sip: mediaNodeAddress(cell, 1),
      edges: [edgeAddresses(cell)],
      controlUrl: `ws://127.0.0.1:${voicePort}/asterisk`,
      controlSecret: secret,
      ari: { password: ariPassword },
      rtpTimeoutSeconds,
    }),
  ]);
  const env = {
    ...buildSettings(dir, urls.service, redisUrl),
    HTTP_PORT: String(httpPort),
    VOICE_PORT: String(voicePort),
    CONTROL_URL: `http://127.0.0.1:${voicePort}`,
    NODE_NAME: nodeName,
    NODE_SECRET: secret,
    RECORDS_FILE: join(node.dir, 'log/cdr-custom/cdr.json'),
    RECORDINGS_DIRECTORY: join(node.dir, 'recordings'),
  };
  return {
    dir,
    apiOrigin: `http://127.0.0.1:${httpPort}`,
    serviceUrl: urls.service,
    edgeUrl: urls.edge,
    voicePort,
    edge,
    edgePlace: edgePublic(cell),
    cell,
    phones: { address: `${cell.network}.20`, port: cell.port },
    carrier,
    node,
    query,
    idle: () => untilIdle(`${node.url}/channels`, { authorization: `Basic ${btoa(`node:${ariPassword}`)}` }),
    start: (name) => startProgram(name, dir, env, profile),
    async stop() {
      await Promise.all([edge.stop('kill'), node.stop('kill')]);
      await owner.end();
    },
  };
}

export interface DatabaseUrls {
  owner: string;
  service: string;
  edge: string;
}

export async function freshDatabase(adminUrl: string, database: string): Promise<DatabaseUrls> {
  await withClient(adminUrl, async (client) => {
    await client.query(`drop database if exists ${database} with (force)`);
    await client.query(`create database ${database}`);
    await client.query(
      `do $$ begin create role ${roles.service} login; exception when duplicate_object then null; end $$`,
    );
  });
  const owner = databaseUrl(adminUrl, database);
  const service = databaseUrl(owner, database, roles.service);
  await migrate(owner, service);
  await withClient(owner, async (client) => {
    await client.query(
      `do $$ begin create role ${roles.edge} login in role disca_edge; exception when duplicate_object then null; end $$`,
    );
  });
  return { owner, service, edge: databaseUrl(owner, database, roles.edge) };
}

async function insertRows(
  query: OwnerQuery,
  cell: VoiceCell,
  secret: string,
  carrier: string,
): Promise<void> {
  await query(
    'insert into media_nodes (name, secret_hash, sip_address, created_at) values ($1, $2, $3, now())',
    [nodeName, createHash('sha256').update(secret).digest(), asText(mediaNodeAddress(cell, 1))],
  );
  await query(
    `insert into trunks (name, mode, address, default_caller_id, created_at)
     values ('bench', 'test', $1, '551130000000', now())`,
    [carrier],
  );
  await insertDeck(query, [{ prefix: '55', price: 0.6 }]);
}

function startEdge(dir: string, cell: VoiceCell, edgeDatabaseUrl: string): Promise<RunningKamailio> {
  return startEdgeAt({
    name: 'bench-edge',
    dir: join(dir, 'edge'),
    addresses: edgeAddresses(cell),
    databaseUrl: edgeDatabaseUrl,
    nonceSecret: randomBytes(16).toString('hex'),
    dialogSecret: randomBytes(16).toString('hex'),
    // All SIPp phones share one address; their requests must not count as a flood.
    limits: { FLOOD_REQUESTS: flood, PEERS_SECONDS: 1 },
  });
}

async function startProgram(
  name: ProgramName,
  dir: string,
  env: Record<string, string>,
  profile: boolean,
): Promise<Program> {
  const file = `server/src/main/${name}.ts`;
  const opsPort = await freePort();
  const readyUrl = `http://127.0.0.1:${opsPort}/health/ready`;
  const entry = await startService({
    name: `bench-${name}`,
    command: process.execPath,
    args: [
      ...(profile ? ['--cpu-prof', `--cpu-prof-name=${name}.cpuprofile`, `--cpu-prof-dir=${dir}`] : []),
      file,
    ],
    commandIncludes: file,
    logFile: join(dir, `${name}.log`),
    cwd: root,
    ending: politeThenKill,
    outlives: false,
    env: { ...env, OPS_PORT: String(opsPort) },
    isReady: () => isOk(readyUrl),
  });
  return { pid: entry.process.pid, stop: () => endAndRemove(entry) };
}

async function isOk(url: string): Promise<boolean> {
  const answer = await fetch(url).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok ?? false;
}

async function untilIdle(url: string, headers: Record<string, string>): Promise<number> {
  const deadline = Date.now() + maxIdleWaitMs;
  for (;;) {
    const answer = await fetch(url, { headers });
    const channels = (await answer.json()) as { id: string }[];
    if (channels.length === 0) return 0;
    if (Date.now() > deadline) {
      for (const { id } of channels) await fetch(`${url}/${id}`, { method: 'DELETE', headers });
      return channels.length;
    }
    await sleep(250);
  }
}

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
});
