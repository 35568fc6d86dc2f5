import type { DigestKeys, SipIdentity } from '../../platform/digest-keys.ts';

/** What the edges need of stored HA1s. */
export interface DigestUse {
  /** Whether an edge runs that cannot open sealed ones. */
  needsPlain: boolean;
  /** Ids of the keys that all running edges have; null if none runs. */
  sharedKeys: string[] | null;
}

/** The columns of an HA1; at least one is set. */
export interface StoredDigest {
  ha1: string | null;
  ha1Sealed: string | null;
}

/**
 * Returns the id of the key to seal with: the first that all running edges have, so that keys can be added to the
 * processes in any order. Undefined if no keys are configured.
 */
export const chooseKey = (ids: readonly string[], { sharedKeys }: DigestUse): string | undefined =>
  ids.find((id) => sharedKeys === null || sharedKeys.includes(id)) ?? ids[0];

export function storedDigest(
  keys: DigestKeys,
  use: DigestUse,
  identity: SipIdentity,
  ha1: string,
): StoredDigest {
  const keyId = chooseKey(keys.ids, use);
  if (keyId === undefined) return { ha1, ha1Sealed: null };
  return { ha1: use.needsPlain ? ha1 : null, ha1Sealed: keys.seal(keyId, identity, ha1) };
}
