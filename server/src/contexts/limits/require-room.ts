import type { Tx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/errors.ts';
import { findBudget, lockBudget } from './budget.store.ts';
import { budgetTable, type Refused } from './budget-table.ts';

/**
 * Refuses if the account's budget does not suffice for `added` more. Requests of the same account and resource are
 * counted one after the other; they wait until the transaction ends.
 */
export async function requireRoom(
  tx: Tx,
  accountId: number,
  resource: Refused,
  count: () => Promise<number>,
  added = 1,
): Promise<void> {
  const most = await findBudget(tx, accountId, resource);
  if (most === null) return;
  await lockBudget(tx, accountId, resource);
  if ((await count()) + added > most) throw budgetRefusal(resource, most);
}

export function budgetRefusal(resource: Refused, most: number): Refusal {
  const { unit, remedy } = budgetTable[resource];
  return new Refusal(
    'ACCOUNT_LIMIT',
    `The account's limit is ${most} ${unit}. ${remedy} The operator can raise the limit.`,
  );
}
