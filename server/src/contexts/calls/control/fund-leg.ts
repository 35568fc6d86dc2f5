import { inAccount, type Tx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/errors.ts';
import { renewHold } from '../../billing/index.ts';
import { type FundDeps, type Funding, nextRenewal } from '../lifecycle/fund-call.ts';
import { lockLiveCall } from '../lifecycle/live-call.store.ts';
import { findCaps } from '../limits/caps.store.ts';
import { lockAnsweredLeg, saveLegFunding } from './leg.store.ts';
import type { RunningLeg } from './leg.ts';

/**
 * Extends the funding of a leg with a hold of its own, like `fundCall` that of a call. Returns undefined if the leg has
 * ended or is free.
 */
export async function fundLeg(deps: FundDeps, leg: RunningLeg): Promise<Funding | undefined> {
  try {
    const renewed = await inAccount(deps.db, leg.accountId, (tx) => renew(tx, deps, leg));
    if (renewed?.isLast) deps.observer.callRefused('renewal', 'INSUFFICIENT_CREDIT');
    return renewed?.funding;
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'SPEND_LIMIT_REACHED')) throw error;
    deps.observer.callRefused('renewal', error.code);
    return await inAccount(deps.db, leg.accountId, (tx) => stopFunding(tx, leg));
  }
}

async function renew(
  tx: Tx,
  deps: FundDeps,
  { accountId, callId, id }: RunningLeg,
): Promise<{ funding: Funding; isLast: boolean } | undefined> {
  if (!(await lockLiveCall(tx, accountId, callId))) return undefined;
  const leg = await lockAnsweredLeg(tx, accountId, id);
  if (!leg?.answeredAt || leg.fundedSeconds === null) return undefined;
  const at = deps.clock.now();
  const usedSeconds = Math.max(0, Math.ceil((at.getTime() - leg.answeredAt.getTime()) / 1000));
  const caps = await findCaps(tx, accountId);
  const { mostCallSeconds: mostSeconds } = caps;
  const { fundedSeconds, isLast } = await renewHold(tx, deps, {
    accountId,
    callId: id,
    usedSeconds,
    at,
    spendCap: caps,
    mostSeconds,
  });
  const next = nextRenewal(leg.answeredAt, { fundedSeconds, isLast, mostSeconds }, at);
  await saveLegFunding(tx, leg, fundedSeconds, next);
  return { funding: { fundedSeconds, renewAt: next }, isLast };
}

/** Ends renewal after the daily spend cap is reached: the leg ends when its current funding runs out. */
async function stopFunding(tx: Tx, { accountId, callId, id }: RunningLeg): Promise<Funding | undefined> {
  if (!(await lockLiveCall(tx, accountId, callId))) return undefined;
  const leg = await lockAnsweredLeg(tx, accountId, id);
  if (!leg || leg.fundedSeconds === null) return undefined;
  await saveLegFunding(tx, leg, leg.fundedSeconds, null);
  return { fundedSeconds: leg.fundedSeconds, renewAt: null };
}
