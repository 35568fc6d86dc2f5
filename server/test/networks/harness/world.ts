import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { startVoiceSimulator, type VoiceSimulator } from '../../../../simulator/voice/index.ts';
import { inDev } from '../../../../tools/dev/paths.ts';
import { freePort } from '../../../../tools/dev/ports.ts';
import { cellIsFree, type VoiceCell } from '../../../../tools/dev/voice/cell.ts';
import {
  startVoicePlatform,
  type VoiceOptions,
  type VoicePlatform,
} from '../../voice/harness/voice-platform.ts';
import { type HomeNetwork, openHomeNetwork } from './home-network.ts';
import { openPassage, type Passage } from './passage.ts';

/** A whole deployment on public addresses, and phones at home behind a router. */
export interface World {
  network: HomeNetwork;
  platform: VoicePlatform;
  /** Its phones are at home. */
  phonesAtHome: VoiceSimulator;
  close(): Promise<void>;
}

export const pingSeconds = 2;
const maxAttempts = 20;

export async function startWorld(options: VoiceOptions = {}): Promise<World> {
  const network = await openHomeNetwork();
  const cell = await cellOn(network);
  const everybody = `${network.network}.0/24`;
  const platform = await startVoicePlatform({
    ...options,
    engines: {
      cell,
      networks: { edges: everybody, carriers: everybody },
      ...options.engines,
      edgeLimits: { PING_SECONDS: pingSeconds, ...options.engines?.edgeLimits },
    },
  });
  const { simulator, passage } = await startPhonesAtHome(network);
  return {
    network,
    platform,
    phonesAtHome: simulator,
    async close() {
      await simulator.stop('kill');
      await passage.close();
      await platform.close();
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

async function startPhonesAtHome(
  network: HomeNetwork,
): Promise<{ simulator: VoiceSimulator; passage: Passage }> {
  const ariPort = await freePort();
  const amiPort = await freePort([ariPort]);
  const passage = await openPassage(network.home, [ariPort, amiPort]);
  const dir = inDev('test', 'voice', network.home);
  const simulator = await startVoiceSimulator({
    name: network.home,
    dir,
    address: network.homeAddress,
    port: 5060,
    control: { password: randomBytes(12).toString('base64url'), ariPort, amiPort },
    networkNamespace: network.home,
  });
  const stop: VoiceSimulator['stop'] = async (mode) => {
    await simulator.stop(mode);
    rmSync(dir, { recursive: true, force: true });
  };
  return { simulator: { ...simulator, stop }, passage };
}
