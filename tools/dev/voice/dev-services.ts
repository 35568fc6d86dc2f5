import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { startVoiceSimulator } from '../../../simulator/voice/index.ts';
import { ensureLogin, withClient } from '../database.ts';
import type { DevService } from '../dev-service.ts';
import {
  devDatabase,
  edgeDatabaseUrl,
  edgeRole,
  ownerDatabaseUrl,
  readyUrl,
  serverEnvironment,
} from '../environment.ts';
import { inDev } from '../paths.ts';
import { knownPort } from '../ports.ts';
import { devSecrets } from '../secrets.ts';
import { startCoturn } from '../services/coturn.ts';
import { startNodeService } from '../services/node-service.ts';
import { asText, edgeAddresses, mediaNodeAddress, simulatorAddress, turnAddress } from './cell.ts';
import { knownCell, simulatorControl, simulatorDir } from './dev-cell.ts';
import { startEdge as startEdgeAt } from './edge.ts';
import { isLinked } from './link.ts';
import { startMediaNode } from './media-node.ts';

const node = 'm1';
const nodeDir = inDev(node);

export const engineServices: DevService[] = [
  { name: 'edge', ports: [], start: startEdge },
  { name: node, ports: ['nodeAri'], start: startNode },
  { name: 'simulator', ports: ['simulatorAri', 'simulatorAmi'], start: startSimulator },
  { name: 'relay', ports: [], start: startRelay },
];

export const callControl: DevService = { name: 'voice', ports: ['voice', 'voiceOps'], start: startVoice };

/** Uploads the detail records and recordings of the node. */
export const shipper: DevService = { name: 'shipper', ports: ['shipperOps'], start: startShipper };

/** Log files of the engines; each engine has access only to its own folder. */
export const engineLogs: Record<string, string> = Object.fromEntries(
  engineServices.map(({ name }) => [name, inDev(name, 'log/messages')]),
);

/** Registers the engines in the database: the edge's login role, the node and a trunk to the simulator. */
export async function registerEngines(): Promise<void> {
  const cell = knownCell();
  const hash = createHash('sha256').update(devSecrets().nodeSecret).digest();
  await withClient(ownerDatabaseUrl(devDatabase), async (client) => {
    await ensureLogin(client, edgeRole, devSecrets().edgePassword);
    await client.query(`grant disca_edge to ${client.escapeIdentifier(edgeRole)}`);
    await client.query(
      `insert into media_nodes (name, secret_hash, sip_address, created_at) values ($1, $2, $3, now())
       on conflict (name) do update set secret_hash = excluded.secret_hash, sip_address = excluded.sip_address`,
      [node, hash, asText(mediaNodeAddress(cell, 1))],
    );
    await client.query(
      `insert into trunks (name, mode, address, default_caller_id, created_at)
       values ('simulator', 'test', $1, '551130000000', now())
       on conflict (name) do update set address = excluded.address`,
      [asText(simulatorAddress(cell))],
    );
  });
}

async function startEdge(): Promise<void> {
  const cell = knownCell();
  const { nonceSecret, dialogSecret, digestKeys } = devSecrets();
  await startEdgeAt({
    name: 'edge',
    dir: inDev('edge'),
    addresses: edgeAddresses(cell),
    consoleOrigins: [new URL(serverEnvironment('apiOps').CONSOLE_URL ?? '').origin],
    databaseUrl: edgeDatabaseUrl(),
    nonceSecret,
    dialogSecret,
    digestKeys,
    outlives: true,
  });
}

async function startNode(): Promise<void> {
  const cell = knownCell();
  const { nodeSecret, nodeAriPassword } = devSecrets();
  await startMediaNode({
    node,
    name: node,
    dir: nodeDir,
    sip: mediaNodeAddress(cell, 1),
    edges: [edgeAddresses(cell)],
    ...(isLinked(cell)
      ? { networks: { edges: `${cell.network}.0/24`, carriers: `${cell.network}.0/24` } }
      : {}),
    controlUrl: `ws://127.0.0.1:${knownPort('voice')}/asterisk`,
    controlSecret: nodeSecret,
    ari: { password: nodeAriPassword, port: knownPort('nodeAri') },
    outlives: true,
  });
}

async function startSimulator(): Promise<void> {
  await startVoiceSimulator({
    name: 'simulator',
    dir: simulatorDir,
    ...simulatorAddress(knownCell()),
    control: simulatorControl(),
    outlives: true,
  });
}

async function startRelay(): Promise<void> {
  const cell = knownCell();
  await startCoturn({
    name: 'relay',
    dir: inDev('relay'),
    ...turnAddress(cell),
    secret: devSecrets().turnSecret,
    mediaNodes: mediaNodeAddress(cell, 1).address,
    outlives: true,
  });
}

async function startVoice(): Promise<void> {
  await startNodeService({
    name: 'voice',
    entryFile: 'server/src/main/voice.ts',
    env: serverEnvironment('voiceOps'),
    readyUrl: readyUrl('voiceOps'),
  });
}

async function startShipper(): Promise<void> {
  await startNodeService({
    name: 'shipper',
    entryFile: 'server/src/main/shipper.ts',
    env: {
      CONTROL_URL: `http://127.0.0.1:${knownPort('voice')}`,
      NODE_NAME: node,
      NODE_SECRET: devSecrets().nodeSecret,
      RECORDS_FILE: join(nodeDir, 'log/cdr-custom/cdr.json'),
      RECORDINGS_DIRECTORY: join(nodeDir, 'recordings'),
      OPS_PORT: String(knownPort('shipperOps')),
    },
    readyUrl: readyUrl('shipperOps'),
  });
}
