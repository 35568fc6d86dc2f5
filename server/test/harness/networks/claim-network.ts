import { randomInt } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { ip } from './namespaces.ts';

const maxAttempts = 20;

/**
 * Claims an unused network with a link from this machine to `peer` in the namespace. Link names are unique, so creating the
 * link reserves the network of that number.
 */
export async function claimNetwork(
  namespace: string,
  peer: string,
): Promise<{ network: string; link: string }> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    // The range reserved for network benchmarks (RFC 2544), unused on the internet.
    const numbers = [randomInt(18, 20), randomInt(0, 256)];
    const network = ['198', ...numbers].join('.');
    const link = ['disca', ...numbers].join('-');
    const taken = Object.values(networkInterfaces()).flat();
    if (taken.some((place) => place?.address.startsWith(`${network}.`))) continue;
    const end = ['peer', 'name', peer, 'netns', namespace];
    const made = await ip('link', 'add', link, 'type', 'veth', ...end).catch(() => undefined);
    if (made !== undefined) return { network, link };
  }
  throw new Error('No network number is free.');
}
