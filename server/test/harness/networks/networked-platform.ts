import { join } from 'node:path';
import { asText, edgeAddresses } from '../../../../tools/dev/voice/cell.ts';
import { startVoicePlatform, type VoicePlatform } from '../voice/voice-platform.ts';
import { type HomeNetwork, openHomeNetwork } from './home-network.ts';
import { chooseCellOn, type Relay, startRelay } from './relay.ts';

/** A complete deployment on public addresses, with a TURN relay, and a home network behind a router. */
export interface NetworkedPlatform {
  network: HomeNetwork;
  platform: VoicePlatform;
  relay: Relay;
  /** The certificate of the edge's secure listeners. */
  certificateFile: string;
  close(): Promise<void>;
}

/** Seconds after which the engines detect a party that sends no more audio. */
export const rtpTimeoutSeconds = 8;

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
  const cell = await chooseCellOn(network);
  const everybody = `${network.network}.0/24`;
  const relay = await startRelay(network, cell);
  const platform = await startVoicePlatform({
    settings: {
      EDGE_WEBSOCKET_URLS: `wss://${asText(edgeAddresses(cell).wss)}/sip`,
      ...relay.settings,
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
