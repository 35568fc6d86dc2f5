import { inAccount } from '../../platform/db/database.ts';
import { reseal } from '../../platform/keyring.ts';
import { type ResealDeps, resealBatch, type Seals } from '../../platform/seals.ts';
import { walkRows } from '../../platform/walk-rows.ts';
import {
  countSecrets,
  findSecretsToReseal,
  lockSecrets,
  type SealedIntegration,
  saveSecrets,
} from './sealed-secret.store.ts';
import { purpose } from './secret.ts';

export const secretSeals: Seals = {
  name: 'webhook secrets',
  count: countSecrets,
  reseal: async (deps, signal) =>
    await walkRows({
      first: 0,
      find: (after) => findSecretsToReseal(deps.db, deps.keyRing.ids[0] ?? '', after, resealBatch),
      idOf: ({ id }) => id,
      handle: (row) => resealBoth(deps, row),
      signal,
    }),
};

async function resealBoth({ db, keyRing }: ResealDeps, row: SealedIntegration): Promise<void> {
  const again = (sealed: string): string => reseal(keyRing, purpose, sealed) ?? sealed;
  await inAccount(db, row.accountId, async (tx) => {
    const secrets = await lockSecrets(tx, row);
    if (!secrets) return;
    const { secret, previous } = secrets;
    await saveSecrets(tx, row, {
      secret: again(secret),
      previous: previous === null ? null : again(previous),
    });
  });
}
