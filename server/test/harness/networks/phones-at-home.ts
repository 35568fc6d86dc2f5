import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { startVoiceSimulator, type VoiceSimulator } from '../../../../simulator/voice/index.ts';
import { inDev } from '../../../../tools/dev/paths.ts';
import { freePort } from '../../../../tools/dev/ports.ts';
import type { HomeNetwork } from './home-network.ts';
import { openLoopbackTunnel } from './loopback-tunnel.ts';

/** Starts a simulator whose phones are in the home network, behind the router. */
export async function startPhonesAtHome({ home, homeAddress }: HomeNetwork): Promise<VoiceSimulator> {
  const ariPort = await freePort();
  const amiPort = await freePort([ariPort]);
  const tunnel = await openLoopbackTunnel(home, [ariPort, amiPort]);
  const dir = inDev('test', 'voice', home);
  const simulator = await startVoiceSimulator({
    name: `simulator-${home}`,
    dir,
    address: homeAddress,
    port: 5060,
    control: { password: randomBytes(12).toString('base64url'), ariPort, amiPort },
    networkNamespace: home,
  });
  return {
    ...simulator,
    async stop(mode) {
      await simulator.stop(mode);
      await tunnel.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
