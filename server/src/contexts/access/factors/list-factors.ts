import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/errors.ts';
import { type AdminFactor, findDemand, isRequiredOfAdmins, listAdminFactors } from './admins.store.ts';
import { type Factor, listFactors } from './factor.store.ts';
import { countRecoveryCodes } from './recovery-code.store.ts';

interface OwnFactors {
  factors: Factor[];
  recoveryCodesLeft: number;
  isRequired: boolean;
  lastApiLoginAt: Date | null;
}

export async function readOwnFactors(deps: { db: Database }, caller: Caller): Promise<OwnFactors> {
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    const demand = await findDemand(tx, caller.accountId, caller.userId);
    if (!demand) throw notFound();
    const { isRequired, lastApiLoginAt } = demand;
    return {
      factors: await listFactors(tx, caller),
      recoveryCodesLeft: await countRecoveryCodes(tx, caller),
      isRequired,
      lastApiLoginAt,
    };
  });
}

/** Reads who would be affected if the account required a second factor of ADMINs. */
export async function readAdminFactors(
  deps: { db: Database },
  { accountId }: Caller,
): Promise<{ isRequired: boolean; admins: AdminFactor[] }> {
  return await inAccount(deps.db, accountId, async (tx) => ({
    isRequired: await isRequiredOfAdmins(tx, accountId),
    admins: await listAdminFactors(tx, accountId),
  }));
}
