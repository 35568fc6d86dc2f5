import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import { notFound, Refusal } from '../../../platform/errors.ts';
import type { Clock } from '../../../platform/time.ts';
import { presentBalance } from '../statement/read-money.ts';
import { adjustCredit } from './adjust-credit.ts';
import { findBalance, findBook, lockCreditSetting } from './ledger.store.ts';
import type { Balance } from './ledger.ts';
import type { LowBalanceDeps } from './low-balance.ts';

export interface TestCreditDeps extends LowBalanceDeps {
  db: Database;
  clock: Clock;
}

/**
 * The first adjustment is computed from an unlocked balance, which a call may change in the meantime. Posting it locks
 * the balance, so the second one is exact.
 */
const maxAdjustments = 2;

/** Sets a test account's available test credit to this amount. Refuses live accounts, whose credit must be bought. */
export const setTestCredit = async (deps: TestCreditDeps, caller: Caller, targetMicros: number) =>
  await inAccount(deps.db, caller.accountId, async (tx) => {
    const { accountId } = caller;
    if ((await findBook(tx, accountId)) !== 'test') throw notFound();
    await lockCreditSetting(tx, accountId);
    let balance = await findBalance(tx, accountId, 'test');
    for (let made = 0; made < maxAdjustments && balance.availableMicros !== targetMicros; made += 1)
      balance = await adjust(tx, deps, caller, targetMicros - balance.availableMicros);
    return presentBalance(balance);
  });

async function adjust(tx: Tx, deps: TestCreditDeps, caller: Caller, micros: number): Promise<Balance> {
  const { accountId } = caller;
  const at = deps.clock.now();
  const adjustment = { accountId, micros, reason: 'Test credit', key: randomUUID(), at, caller };
  try {
    return await adjustCredit(tx, deps, adjustment);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'INSUFFICIENT_CREDIT') throw error;
    return await findBalance(tx, accountId, 'test');
  }
}
