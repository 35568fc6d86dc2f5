import { type Database, inAccount } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/time.ts';
import { recordChange } from '../audit/index.ts';
import { type Budget, findBudgets, saveBudget } from './budget.store.ts';
import type { Budgeted } from './budget-table.ts';

/** Operator commands for budgets of an account; CLI only. */
interface OperatorDeps {
  db: Database;
  clock: Clock;
}

export const showBudgets = (deps: OperatorDeps, accountId: number): Promise<Budget[]> =>
  inAccount(deps.db, accountId, (tx) => findBudgets(tx, accountId));

/** Sets a budget of an account; null removes it, undefined restores the default. Applies at once. */
export async function setBudget(
  deps: OperatorDeps,
  accountId: number,
  resource: Budgeted,
  most: number | null | undefined,
): Promise<Budget[]> {
  return await inAccount(deps.db, accountId, async (tx) => {
    const before = await findBudgets(tx, accountId);
    await saveBudget(tx, accountId, resource, most);
    const after = await findBudgets(tx, accountId);
    await recordChange(tx, {
      accountId,
      at: deps.clock.now(),
      actor: null,
      origin: { address: 'operator', requestId: '' },
      action: 'account.budgets',
      target: { type: 'account', id: String(accountId) },
      before: valuesOf(before),
      after: valuesOf(after),
    });
    return after;
  });
}

const valuesOf = (budgets: Budget[]): Record<string, unknown> =>
  Object.fromEntries(budgets.map(({ resource, most }) => [resource, most]));
