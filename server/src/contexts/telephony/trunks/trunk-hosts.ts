import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { bare } from './trunk.rules.ts';

/** Cached IP addresses of trunk hosts, so that an incoming call needs no DNS lookup. */
export interface TrunkHosts {
  addressesOf(host: string): readonly string[];
  /** Resolves new and outdated hosts; keeps the old addresses of those that fail. */
  refresh(hosts: Iterable<string>, nowMs: number): Promise<void>;
}

const cacheMs = 60_000;

export function createTrunkHosts(resolve = resolveName): TrunkHosts {
  const resolved = new Map<string, { addresses: string[]; resolvedAtMs: number }>();
  return {
    addressesOf: (host) => (isIP(bare(host)) ? [bare(host)] : (resolved.get(host)?.addresses ?? [])),
    async refresh(hosts, nowMs) {
      const due = [...new Set(hosts)].filter(
        (host) => !isIP(bare(host)) && nowMs - (resolved.get(host)?.resolvedAtMs ?? -cacheMs) >= cacheMs,
      );
      await Promise.all(
        due.map(async (host) => {
          const addresses = await resolve(host).catch(() => resolved.get(host)?.addresses ?? []);
          resolved.set(host, { addresses, resolvedAtMs: nowMs });
        }),
      );
    },
  };
}

const resolveName = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);
