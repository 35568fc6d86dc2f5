import { reseal } from '../../platform/keyring.ts';
import { resealBatch, type Seals } from '../../platform/seals.ts';
import { walkRows } from '../../platform/walk-rows.ts';
import { operatorTotpPurpose } from './login.ts';
import { countSecrets, findSecretsToReseal, replaceSecret } from './reseal.store.ts';

export const operatorSeals: Seals = {
  name: 'TOTP of operators',
  count: countSecrets,
  reseal: async ({ db, keyRing }, signal) =>
    await walkRows({
      first: 0,
      find: (after) => findSecretsToReseal(db, keyRing.ids[0] ?? '', after, resealBatch),
      idOf: ({ id }) => id,
      handle: async ({ id, sealed }) => {
        const fresh = reseal(keyRing, operatorTotpPurpose, sealed);
        if (fresh !== undefined) await replaceSecret(db, { id, sealed, fresh });
      },
      signal,
    }),
};
