import { type Database, enterAccount, inTransaction } from '../../platform/db/database.ts';
import { Refusal } from '../../platform/errors.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import { findBudget } from './budget.store.ts';

/** Applies the accounts' budgets of requests and of database connections to the requests of this process. */
export interface RequestBudgets {
  /** Counts a request of the account and refuses it over the budget. Budgets are read again after 30 s. */
  count(accountId: number): Promise<void>;
}

/** A budget decides which requests get a connection, so it cannot be read with one for each request. */
const keptSeconds = 30;
const maxAccounts = 10_000;
/** A page of the console sends about twenty requests at once. */
const burstSeconds = 5;

interface Bucket {
  /** When the budgets were read, and the requests per second. */
  at: Date;
  perSecond: Promise<number | null>;
  /** Requests that may follow at once. */
  left: number;
  filledAtMs: number;
}

export function createRequestBudgets(deps: { db: Database; clock: Clock }): RequestBudgets {
  const { db, clock } = deps;
  const buckets = new Map<number, Bucket>();

  /** Returns the requests per second. */
  async function read(accountId: number): Promise<number | null> {
    try {
      // Not in the account's share of the connections, for which it may have to wait.
      const [connections, requests] = await inTransaction(db, async (tx) => {
        await enterAccount(tx, accountId);
        return await Promise.all([
          findBudget(tx, accountId, 'database_connections'),
          findBudget(tx, accountId, 'requests'),
        ]);
      });
      db.shares.limit(accountId, connections);
      return requests;
    } catch (error) {
      buckets.delete(accountId);
      throw error;
    }
  }

  function bucketOf(accountId: number, now: Date): Bucket {
    const known = buckets.get(accountId);
    if (known && known.at > secondsAfter(now, -keptSeconds)) return known;
    const perSecond = read(accountId);
    const bucket = {
      left: Number.POSITIVE_INFINITY,
      filledAtMs: now.getTime(),
      ...known,
      at: now,
      perSecond,
    };
    buckets.delete(accountId);
    buckets.set(accountId, bucket);
    const [oldest] = buckets.keys();
    if (buckets.size > maxAccounts && oldest !== undefined) {
      buckets.delete(oldest);
      db.shares.limit(oldest, null);
    }
    return bucket;
  }

  return {
    async count(accountId) {
      const now = clock.now();
      const bucket = bucketOf(accountId, now);
      const perSecond = await bucket.perSecond;
      if (perSecond === null) return;
      const sinceSeconds = Math.max(now.getTime() - bucket.filledAtMs, 0) / 1_000;
      bucket.left = Math.min(bucket.left + sinceSeconds * perSecond, perSecond * burstSeconds);
      bucket.filledAtMs = Math.max(now.getTime(), bucket.filledAtMs);
      if (bucket.left < 1) throw tooMany(perSecond);
      bucket.left -= 1;
    },
  };
}

const tooMany = (perSecond: number): Refusal =>
  new Refusal(
    'RATE_LIMITED',
    `This account may send ${perSecond} requests per second, and its users have sent more. Try again in a second.`,
    { retryAfterSeconds: 1, budget: 'requests' },
  );
