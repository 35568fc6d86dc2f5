import { type Database, inAccount, inTransaction } from '../../platform/db/database.ts';
import type { DigestKeys } from '../../platform/digest-keys.ts';
import { type KeyRing, keyIdOf } from '../../platform/keyring.ts';
import { firstUuid, walkRows } from '../../platform/walk-rows.ts';
import { chooseKey, storedDigest } from './digest.rules.ts';
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
import { ha1Of, openSenha } from './senha.ts';

export interface SealDigestsDeps {
  db: Database;
  digestKeys: DigestKeys;
  keyRing: KeyRing;
}

const batch = 200;

/**
 * Stores every HA1 as the edges need it: sealed with the current key, and as it is only while an edge runs that has no
 * keys. A text that is sealed again always differs, by which the trigger version_digest knows that the password is the same,
 * so registrations continue. Returns the number of changed HA1s. Can be interrupted: the
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
        if (!row) return;
        const ha1 =
          opened(deps, row) ?? ha1Of(row.username, row.domain, openSenha(deps.keyRing, row.senhaSealed));
        await saveDigest(tx, accountId, id, storedDigest(deps.digestKeys, use, row, ha1));
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
        const ha1 = row && opened(deps, row);
        if (!row || ha1 === undefined) return;
        await saveSessionDigest(tx, accountId, id, storedDigest(deps.digestKeys, use, row, ha1));
      }),
    signal,
  });
  return extensions + sessions;
}

/** Returns an HA1; undefined if its key was lost. Sessions then expire, and extensions have their password. */
function opened({ digestKeys }: SealDigestsDeps, row: DigestRow): string | undefined {
  if (row.ha1 !== null || row.ha1Sealed === null) return row.ha1 ?? undefined;
  return digestKeys.ids.includes(keyIdOf(row.ha1Sealed)) ? digestKeys.open(row, row.ha1Sealed) : undefined;
}
