import { countDigests, findEdgeKeys } from '../contexts/extensions/index.ts';
import { countUnencrypted } from '../contexts/recordings/index.ts';
import type { Database } from '../platform/db/database.ts';
import type { KeyCount } from '../platform/seals.ts';
import { allSeals } from './reseal.ts';

export interface KeyStatus {
  /** Ids of the key ring, the current one first. */
  keyRing: string[];
  /** Secrets that are sealed with the key ring, by kind and key. */
  seals: { name: string; keys: KeyCount[] }[];
  /** Keys of the ring other than the current one with which nothing is sealed any more. */
  unusedKeys: string[];
  /** Keys of stored secrets that are not in the key ring: they cannot be opened. */
  missingKeys: string[];
  digests: {
    /** Ids of DIGEST_KEYS, the current one first. */
    keys: string[];
    sealed: KeyCount[];
    /** HA1s that are (also) stored unencrypted. */
    unencrypted: number;
    unusedKeys: string[];
    edges: { edge: number; keys: string[] }[];
  };
  /** Recordings whose file, or whose former file, is not encrypted. */
  unencryptedRecordings: number;
}

/** Counts which keys are in use. `db` must have the rights of operators. */
export async function readKeyStatus(
  db: Database,
  ring: { keyRing: string[]; digestKeys: string[] },
): Promise<KeyStatus> {
  const seals: KeyStatus['seals'] = [];
  for (const { name, count } of allSeals) seals.push({ name, keys: await count(db) });
  const digests = await countDigests(db);
  const sealed = digests.filter((each): each is KeyCount => each.key !== null);
  const used = new Set(seals.flatMap(({ keys }) => keys.map(({ key }) => key)));
  const usedByDigests = new Set(sealed.map(({ key }) => key));
  return {
    keyRing: ring.keyRing,
    seals,
    unusedKeys: ring.keyRing.slice(1).filter((key) => !used.has(key)),
    missingKeys: [...used].filter((key) => !ring.keyRing.includes(key)),
    digests: {
      keys: ring.digestKeys,
      sealed,
      unencrypted: digests.find(({ key }) => key === null)?.count ?? 0,
      unusedKeys: ring.digestKeys.slice(1).filter((key) => !usedByDigests.has(key)),
      edges: await findEdgeKeys(db),
    },
    unencryptedRecordings: await countUnencrypted(db),
  };
}

/** Number of secrets that are not sealed with the current keys. */
export function countOutdated({ keyRing, seals, digests }: KeyStatus): number {
  const others = (keys: KeyCount[], current: string | undefined): number =>
    keys.filter(({ key }) => key !== current).reduce((sum, { count }) => sum + count, 0);
  const [current] = digests.keys;
  return (
    seals.reduce((sum, { keys }) => sum + others(keys, keyRing[0]), 0) +
    (current === undefined ? 0 : others(digests.sealed, current))
  );
}
