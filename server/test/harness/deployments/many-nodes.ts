import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inDev } from '../../../../tools/dev/paths.ts';
import { freePort } from '../../../../tools/dev/ports.ts';
import { startHaproxy } from '../../../../tools/dev/services/haproxy.ts';
import { asText, simulatorAddress, type VoiceCell } from '../../../../tools/dev/voice/cell.ts';
import { type Stores, startStores } from '../../scenarios/chaos/stores.ts';
import { type Program, startProgram } from '../../scenarios/many-nodes/program.ts';
import { kamcmd } from '../edge/edge.ts';
import { insertDeck, type OwnerQuery } from '../fixtures/billing-rows.ts';
import { until } from '../until.ts';
import {
  chooseCell,
  type EngineOptions,
  type Engines,
  nodeAddress,
  startEngines,
  type TestNode,
} from '../voice/engines.ts';
import { buildSettings } from './chaos.ts';

/** Two API, worker, voice and shipper processes, edges and media nodes, behind one load balancer. */
export interface ManyNodesDeployment {
  dir: string;
  /** URL of the load balancer. */
  apiUrl: string;
  serviceUrl: string;
  ownerUrl: string;
  operatorUrl: string;
  query: OwnerQuery;
  /** In the order of a rolling restart. */
  programs: Program[];
  engines: Engines;
  nodes: [TestNode, TestNode];
  /** Stops everything; with `keepsLogs`, the logs are kept for inspection. */
  stop(keepsLogs?: boolean): Promise<void>;
}

const pricePerMinute = 0.6;
const nodeNumbers = [1, 2] as const;
/** Long, because test calls send no audio. */
const silenceSeconds = 300;

export interface ManyNodesOptions extends Pick<EngineOptions, 'cell' | 'networks' | 'rtpTimeoutSeconds'> {
  /** Additional settings of our programs. */
  settings?: Record<string, string>;
  /** Default: one PostgreSQL on this machine. */
  startStores?(dir: string): Promise<Stores>;
}

export async function startManyNodes(options: ManyNodesOptions = {}): Promise<ManyNodesDeployment> {
  const {
    settings = {},
    rtpTimeoutSeconds = silenceSeconds,
    startStores: start = startStores,
    ...addresses
  } = options;
  const dir = inDev('many', randomBytes(4).toString('hex'));
  mkdirSync(dir, { recursive: true });
  const [stores, cell] = await Promise.all([start(dir), options.cell ?? chooseCell()]);
  const nodeSecret = randomBytes(18).toString('base64url');
  await insertDeploymentSettings(stores.query, cell, nodeSecret);
  const ports = { api: await freePort(), voice: await freePort() };
  const [servers, engines] = await Promise.all([
    startServers(dir, stores, settings),
    startEngines({
      ...addresses,
      cell,
      edgeCount: 2,
      nodeCount: 2,
      edgeDatabaseUrl: stores.edgeUrl,
      controlUrl: `ws://127.0.0.1:${ports.voice}/asterisk`,
      nodeSecret,
      rtpTimeoutSeconds,
      partyRtpTimeoutSeconds: silenceSeconds,
    }),
  ]);
  const nodes = engines.nodes as [TestNode, TestNode];
  const [haproxy, ...shippers] = await Promise.all([
    startHaproxy({
      name: `haproxy-${ports.api}`,
      dir,
      apiPort: ports.api,
      voicePort: ports.voice,
      apis: servers.apis,
      voices: servers.voices,
    }),
    ...nodes.map((node, index) => startShipper(dir, index + 1, node, ports.voice, nodeSecret)),
  ]);
  const programs = [...servers.programs, ...shippers];
  await untilControlled(stores.query);
  await untilTrusted(engines, nodes);
  return {
    dir,
    apiUrl: `http://127.0.0.1:${ports.api}/api/v1`,
    serviceUrl: stores.serviceUrl,
    ownerUrl: stores.ownerUrl,
    operatorUrl: stores.operatorUrl,
    query: stores.query,
    programs,
    engines,
    nodes,
    async stop(keepsLogs = false) {
      await Promise.all(programs.map((program) => program.stop()));
      await Promise.all([haproxy.stop(), engines.stop()]);
      await stores.stop();
      if (!keepsLogs) rmSync(dir, { recursive: true, force: true });
    },
  };
}

/**
 * Waits until each edge trusts the others. Edges reload their peers every second and reject unknown ones until then. An
 * edge ends if the database does not respond to one of its processes within 2 s of the start; it is started again, as by
 * its supervisor.
 */
async function untilTrusted({ edges }: Engines, nodes: TestNode[]): Promise<void> {
  const addresses = [
    ...edges.map(({ place }) => asText(place.private)),
    ...nodes.map(({ sipAddress }) => sipAddress),
  ];
  const trusts = ({ dir }: { dir: string }): boolean => {
    try {
      const dispatchers = kamcmd(join(dir, 'run/control.sock'), ['dispatcher.list']);
      return addresses.every((address) => dispatchers.includes(address));
    } catch {
      // The edge is ending.
      return false;
    }
  };
  await until(
    async () => {
      const ended = edges.filter(({ engine }) => !engine.isAlive());
      await Promise.all(ended.map(({ engine }) => engine.restart('kill')));
      return ended.length === 0 && edges.every(({ engine }) => trusts(engine));
    },
    'all edges know all edges and nodes',
    180,
  );
}

/** Writes an operator's initial settings: media nodes, a carrier and a price. */
export async function insertDeploymentSettings(
  query: OwnerQuery,
  cell: VoiceCell,
  nodeSecret: string,
  nodes: readonly number[] = nodeNumbers,
): Promise<void> {
  const hash = createHash('sha256').update(nodeSecret).digest();
  for (const number of nodes) {
    await query(
      'insert into media_nodes (name, secret_hash, sip_address, created_at) values ($1, $2, $3, now())',
      [`m${number}`, hash, nodeAddress(cell, number)],
    );
  }
  await query(
    `insert into trunks (name, mode, address, default_caller_id, created_at)
     values ('simulator', 'test', $1, '551130000000', now())`,
    [asText(simulatorAddress(cell))],
  );
  await insertDeck(query, [{ prefix: '55', price: pricePerMinute }]);
}

async function startServers(dir: string, stores: Stores, settings: Record<string, string>) {
  const common = {
    ...buildSettings(dir, stores.serviceUrl, stores.redis.url),
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    SHUTDOWN_DELAY_MS: '3000',
    ...settings,
  };
  const listening = async (kind: 'api' | 'voice', number: number) => {
    const port = await freePort();
    const own = { [kind === 'api' ? 'HTTP_PORT' : 'VOICE_PORT']: String(port) };
    const program = await startProgram(kind, number, { dir, env: { ...common, ...own } });
    return { program, port, opsPort: program.opsPort };
  };
  const [api1, api2, voice1, voice2, worker1, worker2] = await Promise.all([
    listening('api', 1),
    listening('api', 2),
    listening('voice', 1),
    listening('voice', 2),
    startProgram('worker', 1, { dir, env: common }),
    startProgram('worker', 2, { dir, env: common }),
  ]);
  return {
    apis: [api1, api2] as [typeof api1, typeof api2],
    voices: [voice1, voice2] as [typeof voice1, typeof voice2],
    programs: [api1.program, voice1.program, worker1, api2.program, voice2.program, worker2],
  };
}

export const startShipper = (
  dir: string,
  number: number,
  node: TestNode,
  voicePort: number,
  nodeSecret: string,
): Promise<Program> =>
  startProgram('shipper', number, {
    dir,
    env: {
      CONTROL_URL: `http://127.0.0.1:${voicePort}`,
      NODE_NAME: node.name,
      NODE_SECRET: nodeSecret,
      RECORDS_FILE: node.detailRecords,
      RECORDINGS_DIRECTORY: node.recordingsDir,
    },
  });

const readyMs = 180_000;

export async function untilControlled(query: OwnerQuery, names = ['m1', 'm2']): Promise<void> {
  const deadline = Date.now() + readyMs;
  for (;;) {
    const connected = await query(
      `select from media_nodes where connected and last_seen_at > now() - interval '2 s' and name = any($1)`,
      [names],
    );
    if (connected.length === names.length) return;
    if (Date.now() > deadline) throw new Error(`${names.join(' and ')} are not connected to a controller.`);
    await sleep(100);
  }
}
