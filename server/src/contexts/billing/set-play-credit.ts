import { randomUUID } from 'node:crypto';
import type { Caller } from '../../platform/caller.ts';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import type { Clock } from '../../platform/time.ts';
import { adjustCredit } from './adjust-credit.ts';
import { findBalance, findBook } from './ledger.store.ts';
import type { LowBalanceDeps } from './low-balance.ts';
import { presentBalance } from './read-money.ts';

export interface PlayCreditDeps extends LowBalanceDeps {
  db: Database;
  clock: Clock;
}

/** Gives a test account exactly this much available play credit. Real credit is bought, so a live account has none to set. */
export const setPlayCredit = async (deps: PlayCreditDeps, caller: Caller, wantedMicros: number) =>
  await inAccount(deps.db, caller.accountId, async (tx) => {
    const { accountId } = caller;
    if ((await findBook(tx, accountId)) !== 'test') throw notFound();
    const before = await findBalance(tx, accountId, 'test');
    const micros = wantedMicros - before.availableMicros;
    if (micros === 0) return presentBalance(before);
    const at = deps.clock.now();
    const adjustment = { accountId, micros, reason: 'Play credit', key: randomUUID(), at, caller };
    return presentBalance(await adjustCredit(tx, deps, adjustment));
  });
