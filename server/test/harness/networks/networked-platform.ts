import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { inDev } from '../../../../tools/dev/paths.ts';
import { freePort } from '../../../../tools/dev/ports.ts';
import { startCoturn } from '../../../../tools/dev/services/coturn.ts';
import {
  asText,
  cellIsFree,
  edgeAddresses,
  mediaNodeAddress,
  turnAddress,
  type VoiceCell,
} from '../../../../tools/dev/voice/cell.ts';
import { startVoicePlatform, type VoicePlatform } from '../voice/voice-platform.ts';
import { type HomeNetwork, openHomeNetwork } from './home-network.ts';

/** A complete deployment on public addresses, with a TURN relay, and a home network behind a router. */
export interface NetworkedPlatform {
  network: HomeNetwork;
  platform: VoicePlatform;
  relay: { address: string };
  /** The certificate of the edge's secure listeners. */
  certificateFile: string;
  close(): Promise<void>;
}

/** Seconds after which the engines detect a party that sends no more audio. */
export const rtpTimeoutSeconds = 8;
const maxAttempts = 20;

/**
 * Browsers use the default ping interval: a shorter one leaves one second for the response, too little on a busy
 * machine.
 */
export async function startNetworkedPlatform(
  edgeLimits: { PING_SECONDS?: number } = {},
): Promise<NetworkedPlatform> {
  const network = await openHomeNetwork();
  try {
    return await startDeployment(network, edgeLimits);
  } catch (error) {
    await network.close();
    throw error;
  }
}

async function startDeployment(
  network: HomeNetwork,
  edgeLimits: { PING_SECONDS?: number },
): Promise<NetworkedPlatform> {
  const cell = await cellOn(network);
  const everybody = `${network.network}.0/24`;
  const relay = await startRelay(network, cell);
  const platform = await startVoicePlatform({
    settings: {
      EDGE_WEBSOCKET_URLS: `wss://${asText(edgeAddresses(cell).wss)}/sip`,
      TURN_URLS: ['udp', 'tcp'].map((transport) => `${relay.url}?transport=${transport}`).join(),
      TURN_SECRET: relay.secret,
    },
    engines: {
      cell,
      networks: { edges: everybody, carriers: everybody },
      rtpTimeoutSeconds,
      edgeLimits,
    },
  });
  return {
    network,
    platform,
    relay,
    certificateFile: join(platform.engines.edge.dir, 'etc/edge.crt'),
    async close() {
      await platform.close();
      await relay.stop();
      await network.close();
    },
  };
}

async function cellOn({ network }: HomeNetwork): Promise<VoiceCell> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const cell = { network, port: await freePort() };
    if (await cellIsFree(cell)) return cell;
  }
  throw new Error(`No port is free on ${network}.`);
}

async function startRelay({ home }: HomeNetwork, cell: VoiceCell) {
  const { address, port } = turnAddress(cell);
  const secret = randomBytes(24).toString('hex');
  const dir = inDev('test', 'relay', home);
  const service = await startCoturn({
    name: `relay-${home}`,
    dir,
    address,
    port,
    secret,
    mediaNodes: mediaNodeAddress(cell, 1).address,
  });
  return {
    address,
    url: service.url,
    secret,
    async stop() {
      await service.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
