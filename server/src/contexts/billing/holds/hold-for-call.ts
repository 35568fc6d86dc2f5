import { together } from '../../../platform/db/await-pipelined.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { Refusal } from '../../../platform/errors.ts';
import { secondsAfter } from '../../../platform/time.ts';
import { findBalance, post } from '../ledger/ledger.store.ts';
import type { Book } from '../ledger/ledger.ts';
import { type LowBalanceDeps, warnOfLowBalance } from '../ledger/low-balance.ts';
import { affordableSeconds, priceMicros, wholeSteps } from '../rates/rating.rules.ts';
import {
  findHold,
  findTerms,
  type Hold,
  insertHold,
  lockHold,
  saveFunding,
  type Terms,
} from './hold.store.ts';
import { refuseHighPrice, refuseOverspending, type SpendCap } from './spend.rules.ts';

const aheadSeconds = 60;
/** Ringing takes up to 90 s and costs nothing; a hold that nobody renews lives this long beyond what it funds. */
const graceSeconds = 300;

export interface CallFunding {
  book: Book;
  fundedSeconds: number;
  /** True when the credit buys no more after this: the call ends with its funded time. */
  isLast: boolean;
  pricePerMinuteMicros: number;
}

interface HoldRequest {
  accountId: number;
  callId: string;
  destination: string;
  at: Date;
  spendCap?: SpendCap;
}

/**
 * Puts aside the price of the first minute, in the transaction that makes the call. Asked again for the same call, it
 * answers what was put aside. Refuses, in this order: DESTINATION_NOT_ALLOWED for a number without a price,
 * SPEND_LIMIT_REACHED over the cap, INSUFFICIENT_CREDIT.
 */
export async function holdForCall(tx: Tx, deps: LowBalanceDeps, call: HoldRequest): Promise<CallFunding> {
  const terms = await findTerms(tx, call);
  if (terms.isHeld) return await knownFunding(tx, call);
  return await takeHold(tx, deps, planHold(terms, call), call);
}

/** What a new call has to put aside. Refuses as `holdForCall` does, as far as the terms tell. */
export function planHold({ rate, book, daySpendMicros, availableMicros }: Terms, call: HoldRequest): Hold {
  if (!rate) throw new Refusal('DESTINATION_NOT_ALLOWED', 'There is no price for calls to this number.');
  refuseHighPrice(call.spendCap, rate.pricePerMinuteMicros);
  const fundedSeconds = wholeSteps(rate, aheadSeconds);
  const { accountId, callId, destination } = call;
  const heldMicros = priceMicros(rate, fundedSeconds);
  refuseOverspending(call.spendCap, daySpendMicros + heldMicros);
  // Where it plainly does not suffice nobody has to wait for the balance; below zero even a free call is refused.
  if (heldMicros > availableMicros) throw insufficientCredit();
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

/** Puts aside what was planned, if the balance still allows it when its turn comes. */
export async function takeHold(
  tx: Tx,
  deps: LowBalanceDeps,
  hold: Hold,
  call: HoldRequest,
): Promise<CallFunding> {
  const [isPutAside, isNew] = await together(
    putAside(tx, deps, hold, hold.heldMicros, call),
    insertHold(tx, hold, postingKey(hold)),
  );
  if (!isPutAside) throw insufficientCredit();
  return isNew ? fundingOf(hold, false) : await knownFunding(tx, call);
}

const insufficientCredit = () =>
  new Refusal('INSUFFICIENT_CREDIT', 'The available credit does not cover the first minute of this call.');

async function knownFunding(tx: Tx, call: { accountId: number; callId: string }): Promise<CallFunding> {
  const known = await findHold(tx, call.accountId, call.callId);
  if (!known) throw new Error(`There is no hold for the call ${call.callId}.`);
  return fundingOf(known, known.state !== 'open');
}

/**
 * Funds a running call to a minute ahead of what it has used. Where the credit does not reach that far, it funds the
 * whole billing steps the rest still buys, and says that this was the last. Asked twice, it changes nothing the second time.
 * Refuses with SPEND_LIMIT_REACHED what the account may not spend today; its transaction must then not be committed.
 */
export async function renewHold(
  tx: Tx,
  deps: LowBalanceDeps,
  call: { accountId: number; callId: string; usedSeconds: number; at: Date; spendCap?: SpendCap },
): Promise<CallFunding> {
  const hold = await lockHold(tx, call.accountId, call.callId);
  if (!hold) throw new Error(`There is no hold for the call ${call.callId}.`);
  if (hold.state !== 'open') return fundingOf(hold, true);
  const target = Math.max(wholeSteps(hold.rate, call.usedSeconds + aheadSeconds), hold.fundedSeconds);
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

/** The attempt that failed has locked the balance, so what is read now is what there is. */
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
    // Entries are never changed, so they name no number: a person's data can be erased everywhere else.
    description: `Held for ${hold.fundedSeconds} s`,
    at,
  });
  // Now that the balance is locked, what others put aside at the same moment counts too.
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
