import type { Tx } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/errors.ts';
import { addToDay, findBudget, findUsedOfDay, lockBudget } from './budget.store.ts';
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

/** Uses a part of a daily budget; refuses if it does not suffice. */
export async function spendBudget(
  tx: Tx,
  accountId: number,
  resource: Refused,
  amount: number,
  at: Date,
): Promise<void> {
  const most = await findBudget(tx, accountId, resource);
  if (most === null || amount === 0) return;
  if (!(await addToDay(tx, { accountId, resource, day: dayOf(at) }, amount, most)))
    throw budgetRefusal(resource, most);
}

/** Refuses if a daily budget does not suffice, without using it. */
export async function requireLeft(
  tx: Tx,
  accountId: number,
  resource: Refused,
  amount: number,
  at: Date,
): Promise<void> {
  const most = await findBudget(tx, accountId, resource);
  if (most !== null && (await usedToday(tx, accountId, resource, at)) + amount > most)
    throw budgetRefusal(resource, most);
}

/** Returns how much of a daily budget is used. */
export const usedToday = (tx: Tx, accountId: number, resource: Refused, at: Date): Promise<number> =>
  findUsedOfDay(tx, { accountId, resource, day: dayOf(at) });

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

export function budgetRefusal(resource: Refused, most: number): Refusal {
  const { unit, remedy } = budgetTable[resource];
  return new Refusal(
    'ACCOUNT_LIMIT',
    `The account's limit is ${most} ${unit}. ${remedy} The operator can raise the limit.`,
    { budget: resource },
  );
}
