import type { Tx } from '../../../platform/db/database.ts';
import { secondsAfter } from '../../../platform/time.ts';
import { findBalance, post } from '../ledger/ledger.store.ts';
import type { Book } from '../ledger/ledger.ts';
import { type LowBalanceDeps, warnOfLowBalance } from '../ledger/low-balance.ts';
import { affordableSeconds, priceMicros, wholeSteps } from '../rates/rating.rules.ts';
import {
  type CallSlot,
  type FundingInputs,
  findFundingInputs,
  type Hold,
  lockHold,
  openHold,
  saveFunding,
} from './hold.store.ts';
import { holdRefusal, refuseHighPrice, refuseOverspending, type SpendCap } from './spend.rules.ts';

export const aheadSeconds = 60;
/** How long an unrenewed hold outlives its funded time. Ringing takes up to 90 s and is free. */
export const graceSeconds = 300;

export interface CallFunding {
  book: Book;
  fundedSeconds: number;
  /** True if the credit cannot fund more: the call ends with its funded time. */
  isLast: boolean;
  pricePerMinuteMicros: number;
}

interface HoldRequest {
  accountId: number;
  callId: string;
  destination: string;
  at: Date;
  spendCap?: SpendCap;
  /** The slot to reserve, if the hold is that of a running call. */
  slot?: CallSlot;
}

/**
 * Holds the price of the first minute and reserves the call's slot, in the transaction that creates the call. Refuses,
 * in this order: DESTINATION_NOT_ALLOWED for a number without a price, SPEND_LIMIT_REACHED over the cap,
 * INSUFFICIENT_CREDIT, and the slot's refusal.
 */
export async function holdForCall(tx: Tx, deps: LowBalanceDeps, call: HoldRequest): Promise<CallFunding> {
  return await takeHold(tx, deps, planHold(await findFundingInputs(tx, call), call), call);
}

/** Computes the hold of a new call. Refuses like `holdForCall`, as far as can be decided without the balance lock. */
export function planHold(
  { rate, book, daySpendMicros, availableMicros }: FundingInputs,
  call: HoldRequest,
): Hold {
  if (!rate) throw holdRefusal('price');
  refuseHighPrice(call.spendCap, rate.pricePerMinuteMicros);
  const fundedSeconds = wholeSteps(rate, aheadSeconds);
  const { accountId, callId, destination } = call;
  const heldMicros = priceMicros(rate, fundedSeconds);
  refuseOverspending(call.spendCap, daySpendMicros + heldMicros);
  // Refuses without waiting for the balance lock if credit is clearly insufficient. With a negative balance, free calls
  // are refused as well.
  if (heldMicros > availableMicros) throw holdRefusal('credit');
  return {
    accountId,
    callId,
    destination,
    book,
    state: 'open',
    rate,
    fundedSeconds,
    heldMicros,
    renewals: 0,
    createdAt: call.at,
    expiresAt: secondsAfter(call.at, fundedSeconds + graceSeconds),
    settledAt: null,
    settlement: undefined,
  };
}

/** Places the planned hold, if the balance still allows it once it is locked. */
export async function takeHold(
  tx: Tx,
  deps: LowBalanceDeps,
  hold: Hold,
  { at, spendCap, slot }: Pick<HoldRequest, 'at' | 'spendCap' | 'slot'>,
): Promise<CallFunding> {
  const opened = await openHold(tx, hold, { maxDaySpendMicros: spendCap?.dailySpendMicros, slot });
  const { outcome } = opened;
  if (outcome === 'spend' || outcome === 'credit') throw holdRefusal(outcome);
  if (outcome !== 'held') throw slot?.refusal(outcome) ?? new Error(`No slot was requested: ${outcome}.`);
  await warnOfLowBalance(tx, deps, hold.accountId, hold.book, opened, at);
  return fundingOf(hold, false);
}

interface Renewal {
  accountId: number;
  callId: string;
  usedSeconds: number;
  at: Date;
  spendCap?: SpendCap;
  /** How long the call may last; it is not funded beyond the billing step in which this time ends. */
  mostSeconds?: number | undefined;
}

/**
 * Funds a running call one minute ahead of its use. If the credit does not suffice, funds as many whole billing steps as
 * it buys and marks them as the last. Idempotent. Refuses with SPEND_LIMIT_REACHED over the daily cap; the transaction
 * must then be rolled back.
 */
export async function renewHold(tx: Tx, deps: LowBalanceDeps, call: Renewal): Promise<CallFunding> {
  const hold = await lockHold(tx, call.accountId, call.callId);
  if (!hold) throw new Error(`No hold for call ${call.callId}.`);
  if (hold.state !== 'open') return fundingOf(hold, true);
  const neededSeconds = Math.min(
    call.usedSeconds + aheadSeconds,
    call.mostSeconds ?? Number.POSITIVE_INFINITY,
  );
  const target = Math.max(wholeSteps(hold.rate, neededSeconds), hold.fundedSeconds);
  const renewed =
    (await extend(tx, deps, hold, target, call)) ??
    (await extendAsFarAsPossible(tx, deps, hold, target, call));
  return fundingOf(renewed, renewed.fundedSeconds < target);
}

async function extend(
  tx: Tx,
  deps: LowBalanceDeps,
  hold: Hold,
  toSeconds: number,
  call: { usedSeconds: number; at: Date; spendCap?: SpendCap },
): Promise<Hold | undefined> {
  if (toSeconds === hold.fundedSeconds) return hold;
  const moreMicros = priceMicros(hold.rate, toSeconds) - priceMicros(hold.rate, hold.fundedSeconds);
  const renewed: Hold = {
    ...hold,
    fundedSeconds: toSeconds,
    heldMicros: hold.heldMicros + moreMicros,
    renewals: hold.renewals + 1,
    expiresAt: secondsAfter(call.at, Math.max(toSeconds - call.usedSeconds, 0) + graceSeconds),
  };
  if (!(await putAside(tx, deps, renewed, moreMicros, call))) return undefined;
  await saveFunding(tx, renewed);
  return renewed;
}

/**
 * Funds as many steps as the credit covers. The failed attempt has locked the balance, so the value read now is final.
 */
async function extendAsFarAsPossible(
  tx: Tx,
  deps: LowBalanceDeps,
  hold: Hold,
  target: number,
  call: { usedSeconds: number; at: Date; spendCap?: SpendCap },
): Promise<Hold> {
  const { availableMicros } = await findBalance(tx, hold.accountId, hold.book);
  const reachable = Math.min(affordableSeconds(hold.rate, hold.fundedSeconds, availableMicros), target);
  return (await extend(tx, deps, hold, reachable, call)) ?? hold;
}

async function putAside(
  tx: Tx,
  deps: LowBalanceDeps,
  hold: Hold,
  micros: number,
  { at, spendCap }: { at: Date; spendCap?: SpendCap },
): Promise<boolean> {
  if (micros === 0) return true;
  const posted = await post(tx, {
    book: hold.book,
    kind: 'hold',
    subjectId: hold.callId,
    key: postingKey(hold),
    legs: { available: -micros, held: micros },
    // Contains no phone number: entries are immutable, and personal data must be erasable.
    description: `Held for ${hold.fundedSeconds} s`,
    at,
  });
  // Checked with the balance locked, so concurrent holds are included.
  if (posted.outcome === 'posted') {
    refuseOverspending(spendCap, posted.spentTodayMicros + posted.heldMicros);
  }
  await warnOfLowBalance(tx, deps, hold.accountId, hold.book, posted, at);
  return posted.outcome !== 'insufficient';
}

const postingKey = ({ callId, renewals }: Hold): string => `call:${callId}:hold:${renewals}`;

const fundingOf = (hold: Hold, isLast: boolean): CallFunding => ({
  book: hold.book,
  fundedSeconds: hold.fundedSeconds,
  isLast,
  pricePerMinuteMicros: hold.rate.pricePerMinuteMicros,
});
