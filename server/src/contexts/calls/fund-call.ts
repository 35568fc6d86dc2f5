import { type Database, inAccount } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/time.ts';
import { type LowBalanceDeps, renewHold } from '../billing/index.ts';
import { renewAt, tryAgainAt } from './call.rules.ts';
import type { LiveCall } from './call.ts';
import { lockLiveCall, saveFunding } from './live-call.store.ts';

export interface FundDeps extends LowBalanceDeps {
  db: Database;
  clock: Clock;
}

/**
 * Buys more time for a call that talks, before what it has runs out. Answers what is funded now; the engine is told
 * only after this is written, so that no second is used that was not paid for. Undefined when the call has ended.
 */
export async function fundCall(
  deps: FundDeps,
  { accountId, callId }: LiveCall,
): Promise<{ fundedSeconds: number; renewAt: Date | null } | undefined> {
  return await inAccount(deps.db, accountId, async (tx) => {
    const call = await lockLiveCall(tx, accountId, callId);
    if (!call?.answeredAt) return undefined;
    const at = deps.clock.now();
    const usedSeconds = Math.max(0, Math.ceil((at.getTime() - call.answeredAt.getTime()) / 1000));
    const funding = await renewHold(tx, deps, { accountId, callId, usedSeconds, at });
    const next = funding.isLast
      ? tryAgainAt(call.answeredAt, funding.fundedSeconds, at)
      : renewAt(call.answeredAt, funding.fundedSeconds);
    await saveFunding(tx, call, funding.fundedSeconds, next);
    return { fundedSeconds: funding.fundedSeconds, renewAt: next };
  });
}
