import { type Database, inAccount } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/time.ts';
import type { Actor } from '../audit/index.ts';
import { liftSuspension, type Suspension, showSuspension } from '../calls/index.ts';
import {
  findOpenReviews,
  findSignals,
  liftSignals,
  type OpenReview,
  type StoredSignal,
} from './signal.store.ts';

/** Operator commands; CLI only. */
interface OperatorDeps {
  db: Database;
  clock: Clock;
  actor?: Actor | undefined;
}

export interface Review {
  suspension: Suspension | undefined;
  signals: StoredSignal[];
}

export const listReviews = (deps: OperatorDeps): Promise<OpenReview[]> => findOpenReviews(deps.db);

export async function reviewAccount(deps: OperatorDeps, accountId: number): Promise<Review> {
  const signals = await inAccount(deps.db, accountId, (tx) => findSignals(tx, accountId, deps.clock.now()));
  return { suspension: await showSuspension(deps, accountId), signals };
}

/** Allows outbound calls again, and accepts what was noticed: it does not suspend the account again for a week. */
export async function liftReview(deps: OperatorDeps, accountId: number): Promise<Suspension | undefined> {
  await inAccount(deps.db, accountId, (tx) => liftSignals(tx, accountId, deps.clock.now()));
  return await liftSuspension(deps, accountId);
}
