import { type Database, inAccount } from '../../../platform/db/database.ts';
import type { Clock } from '../../../platform/time.ts';
import { type Actor, recordChange } from '../../audit/index.ts';
import type { Caps, SetCaps } from './caps.rules.ts';
import { findCaps, findSetCaps, saveSetCaps } from './caps.store.ts';

/** Operator commands for account limits; CLI only. */
interface OperatorDeps {
  db: Database;
  clock: Clock;
  actor?: Actor | undefined;
}

const nothingSet: SetCaps = {
  callsPerSecond: null,
  concurrentCalls: null,
  inboundCallsPerNumber: null,
  dailySpendMicros: null,
  pricePerMinuteMicros: null,
  countries: null,
};

/** The effective limits, and those set by the operator. */
export interface ShownCaps {
  caps: Caps;
  set: SetCaps;
}

export async function showCaps(deps: OperatorDeps, accountId: number): Promise<ShownCaps> {
  return await inAccount(deps.db, accountId, async (tx) => ({
    caps: await findCaps(tx, accountId),
    set: (await findSetCaps(tx, accountId)) ?? nothingSet,
  }));
}

/** Changes limits from the next call on. Null restores a default; omitted limits stay unchanged. */
export async function setCaps(
  deps: OperatorDeps,
  accountId: number,
  change: Partial<SetCaps>,
): Promise<ShownCaps> {
  return await inAccount(deps.db, accountId, async (tx) => {
    const before = (await findSetCaps(tx, accountId)) ?? nothingSet;
    const set = { ...before, ...change };
    await saveSetCaps(tx, accountId, set);
    await recordChange(tx, {
      accountId,
      at: deps.clock.now(),
      actor: deps.actor ?? null,
      origin: { address: 'operator', requestId: '' },
      action: 'account.caps',
      target: { type: 'account', id: String(accountId) },
      before: { ...before },
      after: { ...set },
    });
    return { caps: await findCaps(tx, accountId), set };
  });
}
