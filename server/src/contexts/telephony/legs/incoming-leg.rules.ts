import type { IncomingLeg } from '../ports.ts';
import { bare, hostOf } from '../trunks/trunk.rules.ts';
import type { Trunk } from '../trunks/trunk.ts';
import { endpointName, isGuarded } from '../trunks/trunk-endpoint.rules.ts';

type CarrierLeg = Pick<Extract<IncomingLeg, { by: 'carrier' }>, 'source' | 'endpoint' | 'isEncrypted'>;

/**
 * Returns the modes of the trunks at the source address: a test trunk reaches only test accounts. If a trunk of the
 * address has rules, such as TLS or a password, the leg must have fulfilled them. The engine has checked the password and
 * SRTP of the endpoint that the leg names, but it may have started without the rules.
 */
export function modesOf(
  trunks: readonly Trunk[],
  leg: CarrierLeg,
  addressesOf: (trunk: Trunk) => readonly string[],
): Trunk['mode'][] {
  const from = bare(hostOf(leg.source));
  const calling = trunks.filter((trunk) => trunk.enabled && addressesOf(trunk).includes(from));
  const guarded = calling.filter(isGuarded);
  const proved = guarded.filter((trunk) => isFulfilled(trunk, leg));
  if (guarded.length > 0 && proved.length === 0) return [];
  return [
    ...new Set(
      calling.filter((trunk) => !isGuarded(trunk) || proved.includes(trunk)).map(({ mode }) => mode),
    ),
  ];
}

const isFulfilled = (trunk: Trunk, { endpoint, isEncrypted }: CarrierLeg): boolean =>
  endpointName(trunk) === endpoint && (trunk.transport !== 'tls' || isEncrypted);
