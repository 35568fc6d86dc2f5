import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startVoiceSimulator, type VoiceSimulator } from '../../../../simulator/voice/index.ts';
import { inDev } from '../../../../tools/dev/paths.ts';
import type { RunningAsterisk } from '../../../../tools/dev/services/asterisk.ts';
import type { RunningKamailio } from '../../../../tools/dev/services/kamailio.ts';
import {
  asText,
  chooseCell,
  edgePlace,
  edgePublic,
  mediaNodePlace,
  simulatorPlace,
  type VoiceCell,
} from '../../../../tools/dev/voice/cell.ts';
import { startEdge } from '../../../../tools/dev/voice/edge.ts';
import type { EdgeSettings } from '../../../../tools/dev/voice/edge-values.ts';
import { startMediaNode } from '../../../../tools/dev/voice/media-node.ts';

export interface EngineOptions {
  /** Of a login role that is a member of disca_edge. */
  edgeDatabaseUrl: string;
  /** Where the media nodes find the controller. */
  controlUrl: string;
  /** What they say to it; every node of a test has the same. */
  nodeSecret: string;
  /** Chosen beforehand by whoever must tell the database of the nodes first. */
  cell?: VoiceCell;
  edgeLimits?: EdgeSettings['limits'];
  rtpTimeoutSeconds?: number;
  /** From where media nodes take SIP; the loopback when absent. */
  networks?: { edges: string; carriers: string };
  /** Until simulated parties give up a call that went silent. */
  partyRtpTimeoutSeconds?: number;
}

export interface TestNode {
  name: string;
  /** As the table of media nodes has it. */
  sipAddress: string;
  engine: RunningAsterisk;
  /** Asks the engine itself, past the controller. */
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  recordingsDir: string;
  detailRecords: string;
}

export interface Engines {
  cell: VoiceCell;
  /** Where phones register, as `host:port`. */
  edgeAddress: string;
  edge: RunningKamailio;
  node: TestNode;
  simulator: VoiceSimulator;
  /** One more media node, with a controller of its own if need be; the first is number 1. */
  startNode(number: number, controlUrl?: string): Promise<TestNode>;
  stop(): Promise<void>;
}

const flood = 100_000;

/** Where the node with this number will be, before it is started. */
export const nodeAddress = (cell: VoiceCell, number = 1): string => asText(mediaNodePlace(cell, number));

export { chooseCell };

/** An edge, a media node `m1` and the simulator, on addresses of their own. */
export async function startEngines(options: EngineOptions): Promise<Engines> {
  const cell = options.cell ?? (await chooseCell());
  const dir = inDev('test', 'voice', cell.network);
  const nodes: TestNode[] = [];
  const startNode = async (number: number, controlUrl = options.controlUrl): Promise<TestNode> => {
    const node = await startTestNode({ ...options, controlUrl }, cell, dir, number);
    nodes.push(node);
    return node;
  };
  const [edge, node, simulator] = await Promise.all([
    startTestEdge(options, cell, dir),
    startNode(1),
    startVoiceSimulator({
      name: `simulator-${cell.network}`,
      dir: join(dir, 'simulator'),
      ...simulatorPlace(cell),
      ...(options.partyRtpTimeoutSeconds === undefined
        ? {}
        : { rtpTimeoutSeconds: options.partyRtpTimeoutSeconds }),
    }),
  ]);
  return {
    cell,
    edgeAddress: asText(edgePublic(cell)),
    edge,
    node,
    simulator,
    startNode,
    async stop() {
      await Promise.all(
        [edge, simulator, ...nodes.map(({ engine }) => engine)].map((each) => each.stop('kill')),
      );
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function startTestEdge(options: EngineOptions, cell: VoiceCell, dir: string): Promise<RunningKamailio> {
  return startEdge({
    name: `edge-${cell.network}`,
    dir: join(dir, 'edge'),
    place: edgePlace(cell),
    databaseUrl: options.edgeDatabaseUrl,
    nonceSecret: randomBytes(16).toString('hex'),
    dialogSecret: randomBytes(16).toString('hex'),
    // All simulated phones share an address; that they are many is no flood.
    limits: { FLOOD_REQUESTS: flood, PEERS_SECONDS: 1, ...options.edgeLimits },
  });
}

async function startTestNode(
  options: EngineOptions,
  cell: VoiceCell,
  dir: string,
  number: number,
): Promise<TestNode> {
  const name = `m${number}`;
  const sip = mediaNodePlace(cell, number);
  const password = randomBytes(12).toString('base64url');
  const engine = await startMediaNode({
    node: name,
    dir: join(dir, name),
    sip,
    edges: [edgePlace(cell)],
    controlUrl: options.controlUrl,
    controlSecret: options.nodeSecret,
    ari: { password },
    ...(options.networks === undefined ? {} : { networks: options.networks }),
    ...(options.rtpTimeoutSeconds === undefined ? {} : { rtpTimeoutSeconds: options.rtpTimeoutSeconds }),
  });
  return {
    name,
    sipAddress: asText(sip),
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
