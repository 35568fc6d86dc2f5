import { type Database, enterAccount, inTransaction } from '../../platform/db/database.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import { findBudget } from './budget.store.ts';

/** Applies the accounts' budgets of database connections to the requests of this process. */
export interface ConnectionBudgets {
  /** Reads the budget of the account, unless it was read in the last 30 s. */
  apply(accountId: number): Promise<void>;
}

/** A budget decides which requests get a connection, so it cannot be read with one for each request. */
const keptSeconds = 30;
const maxAccounts = 10_000;

export function createConnectionBudgets(deps: { db: Database; clock: Clock }): ConnectionBudgets {
  const { db, clock } = deps;
  const reads = new Map<number, { at: Date; applied: Promise<void> }>();

  async function read(accountId: number): Promise<void> {
    try {
      // Not in the account's share of the connections, for which it may have to wait.
      const most = await inTransaction(db, async (tx) => {
        await enterAccount(tx, accountId);
        return await findBudget(tx, accountId, 'database_connections');
      });
      db.shares.limit(accountId, most);
    } catch (error) {
      reads.delete(accountId);
      throw error;
    }
  }

  return {
    async apply(accountId) {
      const now = clock.now();
      const known = reads.get(accountId);
      if (known && known.at > secondsAfter(now, -keptSeconds)) return await known.applied;
      const applied = read(accountId);
      reads.delete(accountId);
      reads.set(accountId, { at: now, applied });
      const [oldest] = reads.keys();
      if (reads.size > maxAccounts && oldest !== undefined) {
        reads.delete(oldest);
        db.shares.limit(oldest, null);
      }
      await applied;
    },
  };
}
