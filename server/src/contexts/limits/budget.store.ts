import { sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../platform/db/database.ts';
import { type Budgeted, budgetedResources } from './budget-table.ts';

export interface Budget {
  resource: Budgeted;
  /** Null means no budget. */
  most: number | null;
  /** Whether it was set for this account. */
  isSet: boolean;
}

export async function findBudgets(tx: Tx, accountId: number): Promise<Budget[]> {
  const rows = await tx
    .selectFrom('effective_budgets')
    .select(['resource', 'most', 'is_set'])
    .where('account_id', '=', accountId)
    .execute();
  return budgetedResources.flatMap((resource) =>
    rows
      .filter((row) => row.resource === resource)
      .map(({ most, is_set: isSet }) => ({ resource, most, isSet: isSet ?? false })),
  );
}

/** Returns the budget of one resource; null if there is none. */
export async function findBudget(tx: Tx, accountId: number, resource: Budgeted): Promise<number | null> {
  const row = await tx
    .selectFrom('effective_budgets')
    .select('most')
    .where('account_id', '=', accountId)
    .where('resource', '=', resource)
    .executeTakeFirst();
  return row?.most ?? null;
}

/** Makes requests that use the same budget wait for each other until the transaction ends. */
export async function lockBudget(tx: Tx, accountId: number, resource: Budgeted): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`budget:${accountId}:${resource}`}, 0))`.execute(
    tx,
  );
}

/** Sets the budget of an account; undefined restores the default. */
export async function saveBudget(
  tx: Tx,
  accountId: number,
  resource: Budgeted,
  most: number | null | undefined,
): Promise<void> {
  if (most === undefined) {
    await tx
      .deleteFrom('account_budgets')
      .where('account_id', '=', accountId)
      .where('resource', '=', resource)
      .execute();
    return;
  }
  await tx
    .insertInto('account_budgets')
    .values({ account_id: accountId, resource, most })
    .onConflict((conflict) => conflict.columns(['account_id', 'resource']).doUpdateSet({ most }))
    .execute();
}

export interface UnlimitedAccount {
  id: number;
  domain: string;
}

/**
 * Returns the accounts of a mode that have no budget of a resource although there is a default. Reads all accounts, so
 * `db` must have the rights of operators.
 */
export async function findUnlimited(
  db: Database,
  mode: 'test' | 'live',
  resources: Budgeted[],
): Promise<UnlimitedAccount[]> {
  const column = sql.ref(mode === 'test' ? 'd.test_most' : 'd.live_most');
  return await queryRows(
    db,
    sql<UnlimitedAccount>`
      select a.id, a.domain from account_info a
       where a.mode = ${mode}
         and exists (select from account_budgets b join budgets d on d.resource = b.resource
                      where b.account_id = a.id and b.resource = any(${resources}) and b.most is null
                        and ${column} is not null)
       order by a.id`,
  );
}

/** Restores the defaults of the resources of which the account has no budget. */
export async function deleteUnlimited(tx: Tx, accountId: number, resources: Budgeted[]): Promise<void> {
  await tx
    .deleteFrom('account_budgets')
    .where('account_id', '=', accountId)
    .where('resource', 'in', resources)
    .where('most', 'is', null)
    .execute();
}

export interface BudgetDay {
  accountId: number;
  resource: Budgeted;
  /** As YYYY-MM-DD. */
  day: string;
}

/** Adds to what was used on a day, and deletes older days. Returns false, and adds nothing, if it exceeds `most`. */
export async function addToDay(
  tx: Tx,
  { accountId, resource, day }: BudgetDay,
  amount: number,
  most: number,
): Promise<boolean> {
  if (amount > most) return false;
  await tx
    .deleteFrom('budget_days')
    .where('account_id', '=', accountId)
    .where('resource', '=', resource)
    .where('day', '<', day)
    .execute();
  const { rows } = await sql`
    insert into budget_days (account_id, resource, day, used) values (${accountId}, ${resource}, ${day}, ${amount})
    on conflict (account_id, resource, day) do update set used = budget_days.used + excluded.used
     where budget_days.used + excluded.used <= ${most}
    returning used`.execute(tx);
  return rows.length > 0;
}

/** Returns what was used of a daily budget. */
export async function findUsedOfDay(tx: Tx, { accountId, resource, day }: BudgetDay): Promise<number> {
  const row = await tx
    .selectFrom('budget_days')
    .select('used')
    .where('account_id', '=', accountId)
    .where('resource', '=', resource)
    .where('day', '=', day)
    .executeTakeFirst();
  return row?.used ?? 0;
}

export interface DefaultBudget {
  resource: Budgeted;
  test: number | null;
  live: number | null;
}

export async function findDefaults(db: Database): Promise<DefaultBudget[]> {
  return await queryRows(
    db,
    sql<DefaultBudget>`select resource, test_most as test, live_most as live from budgets order by resource`,
  );
}

/** Returns how many accounts use up each budget of which no request is refused by name. */
export async function countUsedUp(db: Database): Promise<{ resource: string; accounts: number }[]> {
  return await queryRows(
    db,
    sql<{ resource: string; accounts: number }>`select resource, accounts from used_up_budgets()`,
  );
}

/** Changes the default of a mode for the given resources. */
export async function saveDefault(
  db: Database,
  resources: Budgeted[],
  mode: 'test' | 'live',
  most: number | null,
): Promise<void> {
  const column = sql.ref(mode === 'test' ? 'test_most' : 'live_most');
  await queryRows(db, sql`update budgets set ${column} = ${most} where resource = any(${resources})`);
}
