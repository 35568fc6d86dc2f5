import { inAccount } from '../../platform/db/database.ts';
import { reseal } from '../../platform/keyring.ts';
import { resealBatch, type Seals } from '../../platform/seals.ts';
import { walkRows } from '../../platform/walk-rows.ts';
import { countSenhas, findSenhasToReseal, lockSenha, saveSenha } from './senha.store.ts';
import { purpose } from './senha.ts';

export const senhaSeals: Seals = {
  name: 'SIP passwords',
  count: countSenhas,
  reseal: async ({ db, keyRing }, signal) =>
    await walkRows({
      first: 0,
      find: (after) => findSenhasToReseal(db, keyRing.ids[0] ?? '', after, resealBatch),
      idOf: ({ id }) => id,
      handle: (row) =>
        inAccount(db, row.accountId, async (tx) => {
          const sealed = await lockSenha(tx, row);
          const fresh = sealed === undefined ? undefined : reseal(keyRing, purpose, sealed);
          if (fresh !== undefined) await saveSenha(tx, row, fresh);
        }),
      signal,
    }),
};
