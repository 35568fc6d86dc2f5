import { type Database, inAccount, inTransaction } from '../../platform/db/database.ts';
import type { DigestKeys } from '../../platform/digest-keys.ts';
import { firstUuid, walkRows } from '../../platform/walk-rows.ts';
import { chooseKey, type DigestUse, storedDigest } from './digest.rules.ts';
import {
  type DigestRow,
  findDigests,
  findDigestUse,
  findSessionDigests,
  lockDigest,
  lockSessionDigest,
  saveDigest,
  saveSessionDigest,
} from './digest.store.ts';

export interface SealDigestsDeps {
  db: Database;
  digestKeys: DigestKeys;
}

const batch = 200;

/**
 * Stores every HA1 as the edges need it: sealed with the current key, and as it is only while an edge runs that has no
 * keys. Passwords do not change, so registrations continue. Returns the number of changed HA1s. Can be interrupted: the
 * next run continues.
 */
export async function sealDigests(deps: SealDigestsDeps, signal: AbortSignal): Promise<number> {
  const use = await inTransaction(deps.db, findDigestUse);
  const keyId = chooseKey(deps.digestKeys.ids, use);
  if (keyId === undefined) return 0;
  const { needsPlain } = use;
  const extensions = await walkRows({
    first: 0,
    find: (after) => findDigests(deps.db, keyId, needsPlain, after, batch),
    idOf: ({ id }) => id,
    handle: ({ accountId, id }) =>
      inAccount(deps.db, accountId, async (tx) => {
        const row = await lockDigest(tx, accountId, id);
        if (row) await saveDigest(tx, accountId, id, again(deps, use, row));
      }),
    signal,
  });
  const sessions = await walkRows({
    first: firstUuid,
    find: (after) => findSessionDigests(deps.db, keyId, needsPlain, after, batch),
    idOf: ({ id }) => id,
    handle: ({ accountId, id }) =>
      inAccount(deps.db, accountId, async (tx) => {
        const row = await lockSessionDigest(tx, accountId, id);
        if (row) await saveSessionDigest(tx, accountId, id, again(deps, use, row));
      }),
    signal,
  });
  return extensions + sessions;
}

/** Seals an HA1 again, always with a new text, by which the trigger version_digest knows that the password is the same. */
function again({ digestKeys }: SealDigestsDeps, use: DigestUse, row: DigestRow) {
  const ha1 = row.ha1 ?? digestKeys.open(row, row.ha1Sealed ?? '');
  return storedDigest(digestKeys, use, row, ha1);
}
