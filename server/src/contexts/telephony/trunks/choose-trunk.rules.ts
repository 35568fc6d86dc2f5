import type { Trunk } from './trunk.ts';
import { endpointName } from './trunk-endpoint.rules.ts';

/** A route to the destination: the number in the carrier's format, and the presented number. */
export interface Route {
  number: string;
  address: string;
  transport: Trunk['transport'];
  /** Name of the trunk's endpoint at media nodes. */
  endpoint: string;
  callerId: string;
}

/** A primary and a fallback. */
const maxRoutes = 2;

/**
 * Routes for a call, best first: longest prefix, then lowest priority. The trunk's mode must match the account's, so
 * that a test account never reaches a real carrier.
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
    .slice(0, maxRoutes)
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
  transport: trunk.transport,
  endpoint: endpointName(trunk),
  callerId: trunk.callerIdRule === 'owned' && callerId !== null ? callerId : trunk.defaultCallerId,
});
