import { networkInterfaces } from 'node:os';
import { ip } from '../../../server/test/harness/networks/namespaces.ts';
import { cellAddresses } from '../../../tools/dev/voice/cell.ts';

/** In the range reserved for benchmarking, which is not routed on the internet. */
export const voiceNetwork = '198.19.255';

const link = 'disca-calls';
const peer = 'disca-calls-end';
const addresses = cellAddresses({ network: voiceNetwork, port: 0 });

export const hasVoiceNetwork = (): boolean => {
  const interfaces = Object.values(networkInterfaces()).flat();
  return addresses.every((address) => interfaces.some((each) => each?.address === address));
};

/**
 * Creates a network interface: media nodes offer browsers no loopback candidates. Created before the first browser starts
 * and kept, because browsers abort all requests when an interface changes. Requires root.
 */
export async function makeVoiceNetwork(): Promise<void> {
  if (process.getuid?.() !== 0 || hasVoiceNetwork()) return;
  // Another process may create it at the same time.
  await ip('link', 'add', link, 'type', 'veth', 'peer', 'name', peer).catch(() => undefined);
  for (const address of addresses) await ip('address', 'replace', `${address}/24`, 'dev', link);
  for (const end of [link, peer]) await ip('link', 'set', end, 'up');
}
