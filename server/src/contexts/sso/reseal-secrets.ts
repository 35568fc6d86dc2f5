import { inAccount } from '../../platform/db/database.ts';
import { reseal } from '../../platform/keyring.ts';
import { resealBatch, type Seals } from '../../platform/seals.ts';
import { walkRows } from '../../platform/walk-rows.ts';
import { countSecrets, findSecretsToReseal, lockSecret, saveSecret } from './secret-seal.store.ts';

/** Purpose with which client secrets are sealed. */
export const secretPurpose = 'sso-client-secret';

export const ssoSeals: Seals = {
  name: 'single sign-on secrets',
  count: countSecrets,
  reseal: async ({ db, keyRing }, signal) =>
    await walkRows({
      first: 0,
      find: (after) => findSecretsToReseal(db, keyRing.ids[0] ?? '', after, resealBatch),
      idOf: (accountId) => accountId,
      handle: (accountId) =>
        inAccount(db, accountId, async (tx) => {
          const sealed = await lockSecret(tx, accountId);
          const fresh = sealed === undefined ? undefined : reseal(keyRing, secretPurpose, sealed);
          if (fresh !== undefined) await saveSecret(tx, accountId, fresh);
        }),
      signal,
    }),
};
