import { Resolver } from 'node:dns/promises';
import { literalAddress, type MayCall } from '../../platform/network.ts';
import { codeOf, Failure } from './failure.ts';

export interface ResolveOptions {
  mayCall: MayCall;
  /** Name servers as `address:port`; by default those of the system. */
  nameServers: string[] | undefined;
  timeoutMs: number;
  /** Results and failures are cached for this long, so that a busy endpoint does not query DNS for every request. */
  cacheMs: number;
}

/** Maximum number of addresses tried per host. */
const maxAddresses = 3;
const maxCached = 10_000;

/**
 * Resolves the addresses to call for a URL. All addresses of the host must be callable, because the host decides their
 * order. Clients connect to the returned addresses and never resolve again, which prevents DNS rebinding. Uses Node's
 * resolver rather than the system's, so that slow lookups do not block the thread pool and local host names do not
 * resolve.
 */
export function createResolve({ mayCall, nameServers, timeoutMs, cacheMs }: ResolveOptions) {
  // Each attempt waits twice as long as the previous one; together the attempts fit into the time limit.
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 8), tries: 3 });
  if (nameServers) resolver.setServers(nameServers);
  const cache = new Map<string, { addresses: Promise<string[]>; until: number }>();

  /** Resolves a host; concurrent requests for one host share one query. */
  async function addressesOf(host: string): Promise<string[]> {
    const cached = cache.get(host);
    if (cached && cached.until > performance.now()) return await cached.addresses;
    const entry = { addresses: lookUp(resolver, host), until: Number.POSITIVE_INFINITY };
    cache.delete(host);
    cache.set(host, entry);
    const [oldest] = cache.keys();
    if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
    try {
      return await entry.addresses;
    } finally {
      entry.until = performance.now() + cacheMs;
    }
  }

  return async (url: URL): Promise<string[]> => {
    const literal = literalAddress(url);
    const addresses = literal === undefined ? await addressesOf(url.hostname) : [literal];
    // The address is omitted: it could reveal internal names.
    if (!addresses.every(mayCall))
      throw new Failure(
        'forbidden_address',
        'The host resolves to an address that is not public and is never called.',
      );
    return addresses.slice(0, maxAddresses);
  };
}

/** Looks up a host, IPv4 addresses first, because every machine has IPv4. */
async function lookUp(resolver: Resolver, host: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [codeOf(answer.reason)] : []));
  throw new Failure('dns_failed', `The host has no address (${[...new Set(reasons)].join(', ')}).`);
}
