import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startVoiceSimulator, type VoiceSimulator } from '../../../../simulator/voice/index.ts';
import { inDev } from '../../../../tools/dev/paths.ts';
import type { RunningAsterisk } from '../../../../tools/dev/services/asterisk.ts';
import type { RunningKamailio } from '../../../../tools/dev/services/kamailio.ts';
import {
  asText,
  carrierSideAddress,
  chooseCell,
  type EdgeAddresses,
  edgeAddresses,
  mediaNodeAddress,
  type SipAddress,
  simulatorAddress,
  type VoiceCell,
} from '../../../../tools/dev/voice/cell.ts';
import { startEdge } from '../../../../tools/dev/voice/edge.ts';
import type { EdgeSettings } from '../../../../tools/dev/voice/edge-values.ts';
import { startMediaNode } from '../../../../tools/dev/voice/media-node.ts';
import { testDigestKeys } from '../digest-keys.ts';

export interface EngineOptions {
  /** URL of a login role that is a member of disca_edge. */
  edgeDatabaseUrl: string;
  /** URL at which the media nodes reach the controller. */
  controlUrl: string;
  /** Secret with which media nodes authenticate to the controller; the same for every node of a test. */
  nodeSecret: string;
  /** Set if the addresses of the nodes must be in the database before the nodes start. */
  cell?: VoiceCell;
  /** Number of edges; default one. */
  edgeCount?: number;
  /** Number of media nodes; default one. */
  nodeCount?: number;
  edgeLimits?: EdgeSettings['limits'];
  /** Origins of pages that may open a WebSocket, instead of the default. */
  consoleOrigins?: string[];
  rtpTimeoutSeconds?: number;
  /** Networks from which media nodes accept SIP; default loopback. */
  networks?: { edges: string; carriers: string };
  /** Whether media nodes have a separate address for SIP of carriers, over UDP, TCP and TLS. */
  carrierSide?: boolean;
  /** Time until simulated parties end a silent call. */
  partyRtpTimeoutSeconds?: number;
}

export interface TestNode {
  name: string;
  /** SIP address, as in the table of media nodes. */
  sipAddress: string;
  /** Addresses for carriers, with `carrierSide`. */
  carriers: { sip: SipAddress; tls: SipAddress };
  engine: RunningAsterisk;
  /** Sends a request to the engine itself, without the controller. */
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  recordingsDir: string;
  detailRecords: string;
}

export interface TestEdge {
  place: EdgeAddresses;
  /** Where phones register, as `host:port`. */
  address: string;
  engine: RunningKamailio;
}

export interface Engines {
  cell: VoiceCell;
  edges: TestEdge[];
  /** Address of the first edge. */
  edgeAddress: string;
  edge: RunningKamailio;
  /** The media nodes that were started with the engines. */
  nodes: readonly TestNode[];
  /** The first media node. */
  node: TestNode;
  simulator: VoiceSimulator;
  /** Starts one more media node, optionally with its own controller; the first is number 1. */
  startNode(number: number, controlUrl?: string): Promise<TestNode>;
  stop(): Promise<void>;
}

const flood = 100_000;

/** Returns the address that the node with this number will have. */
export const nodeAddress = (cell: VoiceCell, number = 1): string => asText(mediaNodeAddress(cell, number));

export { chooseCell };

/** Starts edges, media nodes (`m1`, `m2` …) and the simulator on separate addresses. */
export async function startEngines(options: EngineOptions): Promise<Engines> {
  const cell = options.cell ?? (await chooseCell());
  const dir = inDev('test', 'voice', cellName(cell));
  const started: TestNode[] = [];
  const startNode = async (number: number, controlUrl = options.controlUrl): Promise<TestNode> => {
    const node = await startTestNode({ ...options, controlUrl }, cell, dir, number);
    started.push(node);
    return node;
  };
  const numbers = Array.from({ length: options.nodeCount ?? 1 }, (_, index) => index + 1);
  const [edges, nodes, simulator] = await Promise.all([
    startTestEdges(options, cell, dir),
    Promise.all(numbers.map((number) => startNode(number))),
    startVoiceSimulator({
      name: `simulator-${cellName(cell)}`,
      dir: join(dir, 'simulator'),
      ...simulatorAddress(cell),
      ...(options.partyRtpTimeoutSeconds === undefined
        ? {}
        : { rtpTimeoutSeconds: options.partyRtpTimeoutSeconds }),
    }),
  ]);
  const [[first], [node]] = [edges, nodes];
  if (!first || !node) throw new Error('There is no edge or no node.');
  return {
    cell,
    edges,
    edgeAddress: first.address,
    edge: first.engine,
    nodes,
    node,
    simulator,
    startNode,
    async stop() {
      await Promise.all(
        [simulator, ...[...edges, ...started].map(({ engine }) => engine)].map((each) => each.stop('kill')),
      );
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Contains the port, because cells may share addresses on different ports. */
const cellName = ({ network, port }: VoiceCell): string => `${network}-${port}`;

const edgePlaces = (cell: VoiceCell, { edgeCount = 1 }: EngineOptions): EdgeAddresses[] =>
  Array.from({ length: edgeCount }, (_, index) => edgeAddresses(cell, index + 1));

async function startTestEdges(options: EngineOptions, cell: VoiceCell, dir: string): Promise<TestEdge[]> {
  const nonceSecret = randomBytes(16).toString('hex');
  const dialogSecret = randomBytes(16).toString('hex');
  const start = async (place: EdgeAddresses): Promise<TestEdge> => {
    const engine = await startEdge({
      name: `edge-${cellName(cell)}-${place.id}`,
      dir: join(dir, `edge-${place.id}`),
      addresses: place,
      databaseUrl: options.edgeDatabaseUrl,
      nonceSecret,
      dialogSecret,
      digestKeys: testDigestKeys,
      // All simulated phones share one address; their requests must not count as a flood.
      limits: { FLOOD_REQUESTS: flood, PEERS_SECONDS: 1, ...options.edgeLimits },
      ...(options.consoleOrigins === undefined ? {} : { consoleOrigins: options.consoleOrigins }),
    });
    return { place, address: asText(place.public), engine };
  };
  return await Promise.all(edgePlaces(cell, options).map(start));
}

async function startTestNode(
  options: EngineOptions,
  cell: VoiceCell,
  dir: string,
  number: number,
): Promise<TestNode> {
  const name = `m${number}`;
  const sip = mediaNodeAddress(cell, number);
  const password = randomBytes(12).toString('base64url');
  const carrierSip = carrierSideAddress(cell, number);
  const carriers = { sip: carrierSip, tls: { ...carrierSip, port: carrierSip.port + 1 } };
  const engine = await startMediaNode({
    node: name,
    name: `${name}-${cellName(cell)}`,
    dir: join(dir, name),
    sip,
    edges: edgePlaces(cell, options),
    controlUrl: options.controlUrl,
    controlSecret: options.nodeSecret,
    ari: { password },
    ...(options.carrierSide ? { carriers } : {}),
    ...(options.networks === undefined ? {} : { networks: options.networks }),
    ...(options.rtpTimeoutSeconds === undefined ? {} : { rtpTimeoutSeconds: options.rtpTimeoutSeconds }),
  });
  return {
    name,
    sipAddress: asText(sip),
    carriers,
    engine,
    ask: (method, path, body) => ask(engine.url, password, method, path, body),
    recordingsDir: join(engine.dir, 'recordings'),
    detailRecords: join(engine.dir, 'log/cdr-custom/cdr.json'),
  };
}

async function ask(
  url: string,
  password: string,
  method: string,
  path: string,
  body: unknown,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`node:${password}`)}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}
