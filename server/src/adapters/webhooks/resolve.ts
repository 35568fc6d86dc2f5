import { Resolver } from 'node:dns/promises';
import { literalAddress } from '../../contexts/integrations/index.ts';
import type { MayCall } from '../../platform/network.ts';
import { codeOf, Failure } from './failure.ts';

export interface ResolveOptions {
  mayCall: MayCall;
  /** Name servers as `address:port`; those of the machine unless given. */
  nameServers: string[] | undefined;
  timeoutMs: number;
  /** Answers and failures are good for this long, so that a busy endpoint does not ask for every request. */
  cacheMs: number;
}

/** More addresses than this of one host are not tried. */
const mostTried = 3;
const mostCached = 10_000;

/**
 * The addresses to call for a URL. Every address that its host has must be callable: one that is not spoils them all,
 * because the host decides in which order it tells them. Whoever calls connects to what is answered here and never asks
 * again, so a host that changes its mind in between gains nothing. The resolver of Node rather than that of the system:
 * hosts that answer slowly do not keep its few threads from everybody else, and names of this machine mean nothing.
 */
export function createResolve({ mayCall, nameServers, timeoutMs, cacheMs }: ResolveOptions) {
  // Each try waits twice as long as the one before: together they fit into the time there is.
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 8), tries: 3 });
  if (nameServers) resolver.setServers(nameServers);
  const known = new Map<string, { addresses: Promise<string[]>; until: number }>();

  /** Whoever asks while the question is on its way gets the same answer. */
  async function addressesOf(host: string): Promise<string[]> {
    const found = known.get(host);
    if (found && found.until > performance.now()) return await found.addresses;
    const entry = { addresses: lookUp(resolver, host), until: Number.POSITIVE_INFINITY };
    known.delete(host);
    known.set(host, entry);
    const [oldest] = known.keys();
    if (known.size > mostCached && oldest !== undefined) known.delete(oldest);
    try {
      return await entry.addresses;
    } finally {
      entry.until = performance.now() + cacheMs;
    }
  }

  return async (url: URL): Promise<string[]> => {
    const literal = literalAddress(url);
    const addresses = literal === undefined ? await addressesOf(url.hostname) : [literal];
    // Which address it is stays here: what names of our own network lead to is nobody's business.
    if (!addresses.every(mayCall))
      throw new Failure(
        'forbidden_address',
        'The host leads to an address that is not public: it is never called.',
      );
    return addresses.slice(0, mostTried);
  };
}

/** IPv4 first: it is what every machine has. */
async function lookUp(resolver: Resolver, host: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [codeOf(answer.reason)] : []));
  throw new Failure('dns_failed', `The host has no address (${[...new Set(reasons)].join(', ')}).`);
}
