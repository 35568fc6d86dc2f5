import { type Database, inAccount, type Tx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/errors.ts';
import type { Clock } from '../../../platform/time.ts';
import { type LowBalanceDeps, renewHold } from '../../billing/index.ts';
import { renewAt, tryAgainAt } from '../call.rules.ts';
import type { LiveCall } from '../call.ts';
import { hasDestinationEnded } from '../control/leg.store.ts';
import { findCaps } from '../limits/caps.store.ts';
import type { CallObserver } from '../observer.ts';
import { lockLiveCall, saveFunding } from './live-call.store.ts';

export interface FundDeps extends LowBalanceDeps {
  db: Database;
  clock: Clock;
  observer: CallObserver;
}

export type Funding = { fundedSeconds: number; renewAt: Date | null };

/**
 * Extends the funding of an answered call before it runs out, and returns the new funding. The engine's limit is raised
 * only after commit, so that no unfunded time is used. Returns undefined if the call has ended.
 */
export async function fundCall(deps: FundDeps, call: LiveCall): Promise<Funding | undefined> {
  try {
    const renewed = await inAccount(deps.db, call.accountId, (tx) => renew(tx, deps, call));
    if (renewed?.isLast) deps.observer.callRefused('renewal', 'INSUFFICIENT_CREDIT');
    return renewed?.funding;
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'SPEND_LIMIT_REACHED')) throw error;
    deps.observer.callRefused('renewal', error.code);
    return await inAccount(deps.db, call.accountId, (tx) => stopFunding(tx, call));
  }
}

async function renew(
  tx: Tx,
  deps: FundDeps,
  { accountId, callId }: LiveCall,
): Promise<{ funding: Funding; isLast: boolean } | undefined> {
  const call = await lockLiveCall(tx, accountId, callId);
  if (!call?.answeredAt) return undefined;
  if (call.hasLegs && (await hasDestinationEnded(tx, accountId, callId))) return undefined;
  const at = deps.clock.now();
  const usedSeconds = Math.max(0, Math.ceil((at.getTime() - call.answeredAt.getTime()) / 1000));
  const caps = await findCaps(tx, accountId);
  const { mostCallSeconds: mostSeconds } = caps;
  const { fundedSeconds, isLast } = await renewHold(tx, deps, {
    accountId,
    callId,
    usedSeconds,
    at,
    spendCap: caps,
    mostSeconds,
  });
  const next = nextRenewal(call.answeredAt, { fundedSeconds, isLast, mostSeconds }, at);
  await saveFunding(tx, call, fundedSeconds, next);
  return { funding: { fundedSeconds, renewAt: next }, isLast };
}

/** Returns when to renew again: not once the call has the time that the account's calls may last. */
export function nextRenewal(
  answeredAt: Date,
  funding: { fundedSeconds: number; isLast: boolean; mostSeconds: number | undefined },
  at: Date,
): Date | null {
  const { fundedSeconds, isLast, mostSeconds = Number.POSITIVE_INFINITY } = funding;
  if (fundedSeconds >= mostSeconds) return null;
  return isLast ? tryAgainAt(answeredAt, fundedSeconds, at) : renewAt(answeredAt, fundedSeconds);
}

/** Ends renewal after the daily spend cap is reached: the call ends when its current funding runs out. */
async function stopFunding(tx: Tx, { accountId, callId }: LiveCall): Promise<Funding | undefined> {
  const call = await lockLiveCall(tx, accountId, callId);
  if (!call) return undefined;
  await saveFunding(tx, call, call.fundedSeconds, null);
  return { fundedSeconds: call.fundedSeconds, renewAt: null };
}
