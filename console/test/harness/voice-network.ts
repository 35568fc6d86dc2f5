import { networkInterfaces } from 'node:os';
import { ip } from '../../../server/test/networks/harness/namespaces.ts';
import { cellAddresses } from '../../../tools/dev/voice/cell.ts';

/** In the range for trials of networks, which nobody uses on the internet. */
export const voiceNetwork = '198.19.255';

const link = 'disca-calls';
const peer = 'disca-calls-end';
const addresses = cellAddresses({ network: voiceNetwork, port: 0 });

export const hasVoiceNetwork = (): boolean => {
  const found = Object.values(networkInterfaces()).flat();
  return addresses.every((address) => found.some((each) => each?.address === address));
};

/**
 * Media nodes offer browsers no address but one of an interface that is not the loopback. It is made before the first
 * browser starts, and stays: every browser drops what it loads when an interface comes or goes. Only root can make it.
 */
export async function makeVoiceNetwork(): Promise<void> {
  if (process.getuid?.() !== 0 || hasVoiceNetwork()) return;
  // Somebody else may be making it at the same moment.
  await ip('link', 'add', link, 'type', 'veth', 'peer', 'name', peer).catch(() => undefined);
  for (const address of addresses) await ip('address', 'replace', `${address}/24`, 'dev', link);
  for (const end of [link, peer]) await ip('link', 'set', end, 'up');
}
