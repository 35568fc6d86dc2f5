import type { Trunk } from './trunk.ts';

/** The endpoint in `deploy/asterisk/pjsip.conf.in` for trunks over UDP without credentials. */
const plainEndpoint = 'carrier';

/** Returns whether media nodes need an endpoint for this trunk alone. */
export const hasOwnEndpoint = ({ transport, outboundLogin, inboundLogin }: Trunk): boolean =>
  transport !== 'udp' || outboundLogin !== null || inboundLogin !== null;

/** Returns whether a call from the trunk's address must prove more than its address. */
export const isGuarded = ({ transport, inboundLogin }: Trunk): boolean =>
  transport === 'tls' || inboundLogin !== null;

/**
 * Returns the name of the trunk's endpoint at media nodes. It changes when the settings change, so that an endpoint is never
 * changed while calls use it. The dialplan refuses unencrypted answers on endpoints that end in `-srtp`.
 */
export function endpointName(trunk: Trunk): string {
  if (!hasOwnEndpoint(trunk)) return plainEndpoint;
  return `trunk-${trunk.id}-${trunk.changedAt.getTime()}${trunk.srtp ? '-srtp' : ''}`;
}

type AddressesOf = (trunk: Trunk) => readonly string[];

/**
 * Returns the endpoint that handles calls from each address of the enabled trunks; null where the address is enough. If
 * several trunks of an address have rules, those of the oldest one apply.
 */
export function endpointsBySource(
  trunks: readonly Trunk[],
  addressesOf: AddressesOf,
): Map<string, string | null> {
  const endpoints = new Map<string, string | null>();
  for (const trunk of trunks.filter(({ enabled }) => enabled).toSorted((a, b) => a.id - b.id))
    for (const address of addressesOf(trunk))
      endpoints.set(address, endpoints.get(address) ?? (isGuarded(trunk) ? endpointName(trunk) : null));
  return endpoints;
}
