import { inAccount } from '../../../platform/db/database.ts';
import { reseal } from '../../../platform/keyring.ts';
import { resealBatch, type Seals } from '../../../platform/seals.ts';
import { firstUuid, walkRows } from '../../../platform/walk-rows.ts';
import { totpPurpose } from './totp.ts';
import {
  countTotpSecrets,
  findTotpSecretsToReseal,
  lockTotpSecret,
  saveTotpSecret,
} from './totp-seal.store.ts';

export const totpSeals: Seals = {
  name: 'TOTP secrets',
  count: countTotpSecrets,
  reseal: async ({ db, keyRing }, signal) =>
    await walkRows({
      first: firstUuid,
      find: (after) => findTotpSecretsToReseal(db, keyRing.ids[0] ?? '', after, resealBatch),
      idOf: ({ id }) => id,
      handle: (row) =>
        inAccount(db, row.accountId, async (tx) => {
          const sealed = await lockTotpSecret(tx, row);
          const fresh = sealed === undefined ? undefined : reseal(keyRing, totpPurpose, sealed);
          if (fresh !== undefined) await saveTotpSecret(tx, row, fresh);
        }),
      signal,
    }),
};
