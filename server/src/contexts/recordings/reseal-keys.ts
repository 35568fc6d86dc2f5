import { inAccount } from '../../platform/db/database.ts';
import { reseal } from '../../platform/keyring.ts';
import { resealBatch, type Seals } from '../../platform/seals.ts';
import { walkRows } from '../../platform/walk-rows.ts';
import { keyPurpose } from './encrypted-file.ts';
import { countKeys, findKeysToReseal, lockKey, saveKey } from './recording-key.store.ts';

/** The keys of the accounts' files. The files stay as they are. */
export const recordingKeySeals: Seals = {
  name: 'keys of recordings',
  count: countKeys,
  reseal: async ({ db, keyRing }, signal) =>
    await walkRows({
      first: 0,
      find: (after) => findKeysToReseal(db, keyRing.ids[0] ?? '', after, resealBatch),
      idOf: (accountId) => accountId,
      handle: (accountId) =>
        inAccount(db, accountId, async (tx) => {
          const sealed = await lockKey(tx, accountId);
          const fresh = sealed === undefined ? undefined : reseal(keyRing, keyPurpose, sealed);
          if (fresh !== undefined) await saveKey(tx, accountId, fresh);
        }),
      signal,
    }),
};
