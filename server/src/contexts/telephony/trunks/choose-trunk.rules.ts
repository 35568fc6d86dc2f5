import type { Trunk } from './trunk.ts';

/** One way to the destination: the number as the carrier wants it, and the number that is shown. */
export interface Route {
  number: string;
  address: string;
  callerId: string;
}

/** The first, and one to fall back on. */
const mostRoutes = 2;

/**
 * The ways by which a call is tried, best first: the longest prefix, then the lowest priority. The mode of the account
 * must be the trunk's, so that a test account never reaches a real carrier.
 */
export function chooseRoutes(
  trunks: readonly Trunk[],
  mode: Trunk['mode'],
  call: { destination: string; callerId: string | null },
): Route[] {
  return trunks
    .filter((trunk) => trunk.enabled && trunk.mode === mode)
    .map((trunk) => ({ trunk, matched: matchedDigits(trunk, call.destination) }))
    .filter(({ matched }) => matched !== undefined)
    .sort(
      (a, b) =>
        (b.matched ?? 0) - (a.matched ?? 0) || a.trunk.priority - b.trunk.priority || a.trunk.id - b.trunk.id,
    )
    .slice(0, mostRoutes)
    .map(({ trunk }) => routeBy(trunk, call));
}

function matchedDigits({ prefixes }: Trunk, destination: string): number | undefined {
  if (prefixes.length === 0) return 0;
  const matching = prefixes.filter((prefix) => destination.startsWith(prefix));
  return matching.length === 0 ? undefined : Math.max(...matching.map((prefix) => prefix.length));
}

export const routeBy = (
  trunk: Trunk,
  { destination, callerId }: { destination: string; callerId: string | null },
): Route => ({
  number: trunk.addDigits + destination.slice(trunk.stripDigits),
  address: trunk.address,
  callerId: trunk.callerIdRule === 'owned' && callerId !== null ? callerId : trunk.defaultCallerId,
});
