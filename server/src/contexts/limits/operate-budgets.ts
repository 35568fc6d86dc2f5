import { type Database, inAccount, type Tx } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/time.ts';
import { type Actor, recordChange } from '../audit/index.ts';
import {
  type Budget,
  deleteUnlimited,
  findBudgets,
  findUnlimited,
  saveBudget,
  type UnlimitedAccount,
} from './budget.store.ts';
import type { Budgeted } from './budget-table.ts';

/** Operator commands for budgets of accounts; CLI only. */
interface OperatorDeps {
  db: Database;
  clock: Clock;
  actor?: Actor | undefined;
}

export const showBudgets = (deps: OperatorDeps, accountId: number): Promise<Budget[]> =>
  inAccount(deps.db, accountId, (tx) => findBudgets(tx, accountId));

/** Sets a budget of an account; null removes it, undefined restores the default. Applies at once. */
export const setBudget = (
  deps: OperatorDeps,
  accountId: number,
  resource: Budgeted,
  most: number | null | undefined,
): Promise<Budget[]> => changeBudgets(deps, accountId, (tx) => saveBudget(tx, accountId, resource, most));

/**
 * Gives the default budgets to all accounts of a mode that have none, such as those that are older than the budgets.
 * Other budgets of accounts stay. Each account is changed on its own, so an interrupted command can be repeated.
 */
export async function resetBudgets(
  deps: OperatorDeps,
  mode: 'test' | 'live',
  resources: Budgeted[],
): Promise<UnlimitedAccount[]> {
  const accounts = await findUnlimited(deps.db, mode, resources);
  for (const { id } of accounts) await changeBudgets(deps, id, (tx) => deleteUnlimited(tx, id, resources));
  return accounts;
}

/** Changes budgets of an account and writes the change to its audit log. */
async function changeBudgets(
  deps: OperatorDeps,
  accountId: number,
  change: (tx: Tx) => Promise<void>,
): Promise<Budget[]> {
  return await inAccount(deps.db, accountId, async (tx) => {
    const before = await findBudgets(tx, accountId);
    await change(tx);
    const after = await findBudgets(tx, accountId);
    await recordChange(tx, {
      accountId,
      at: deps.clock.now(),
      actor: deps.actor ?? null,
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
