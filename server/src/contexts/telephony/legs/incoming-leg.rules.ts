import { bare, hostOf } from '../trunks/trunk.rules.ts';
import type { Trunk } from '../trunks/trunk.ts';

/** Returns the modes of the trunks at this address: a test trunk reaches only test accounts. */
export function modesOf(
  trunks: readonly Trunk[],
  source: string,
  addressesOf: (trunk: Trunk) => readonly string[],
): Trunk['mode'][] {
  const from = bare(hostOf(source));
  const calling = trunks.filter((trunk) => trunk.enabled && addressesOf(trunk).includes(from));
  return [...new Set(calling.map(({ mode }) => mode))];
}
