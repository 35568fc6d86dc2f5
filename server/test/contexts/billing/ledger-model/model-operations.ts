import { randomUUID } from 'node:crypto';
import { expireHolds } from '../../../../src/contexts/billing/holds/settle-call.ts';
import {
  adjustCredit,
  creditCharge,
  holdForCall,
  renewHold,
  takeBackCharge,
} from '../../../../src/contexts/billing/index.ts';
import {
  priceMicros,
  type Settlement,
  wholeSteps,
} from '../../../../src/contexts/billing/rates/rating.rules.ts';
import { inAccount, type Tx } from '../../../../src/platform/db/database.ts';
import { Refusal } from '../../../../src/platform/errors.ts';
import { insertCharge, insertReversal } from '../../../harness/fixtures/billing-rows.ts';
import { holdOnce } from '../../../harness/fixtures/hold-once.ts';
import { settleCall } from '../../../harness/fixtures/settle-call.ts';
import {
  destinations,
  findRate,
  type ModelAccount,
  type ModelCall,
  type ModelCharge,
  type ModelState,
} from './model-state.ts';

type Roll = () => number;

// The accounts have no users, so no mail is sent.
const deps = { queueMail: async () => undefined, consoleUrl: 'http://console.disca.test' };

const now = (model: ModelState): Date => new Date(model.nowMs);
const count = (model: ModelState, what: string) => {
  model.tally[what] = (model.tally[what] ?? 0) + 1;
};
const pick = <T>(roll: Roll, choices: readonly T[]): T | undefined =>
  choices[Math.floor(roll() * choices.length)];
const remove = <T>(list: T[], item: T): boolean => {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
  return index >= 0;
};

export function startCall(model: ModelState, roll: Roll, account: ModelAccount): () => Promise<void> {
  const destination = pick(roll, destinations) ?? '';
  const call: ModelCall = {
    callId: randomUUID(),
    account,
    destination,
    rate: findRate(destination),
    startedAtMs: model.nowMs,
    fundedSeconds: 0,
    askedSeconds: new Set(),
    settlement: undefined,
  };
  return () => hold(model, call);
}

async function hold(model: ModelState, call: ModelCall): Promise<void> {
  count(model, 'hold');
  const { account, callId, destination, rate } = call;
  const firstSeconds = wholeSteps(rate, 60);
  const funding = await holdOnce(() =>
    refusable(model, account, priceMicros(rate, firstSeconds), 'hold', (tx) =>
      holdForCall(tx, deps, { accountId: account.id, callId, destination, at: now(model) }),
    ),
  );
  if (!funding) return;
  if (funding.fundedSeconds < firstSeconds) throw new Error(`${callId} is funded for less than requested.`);
  if (call.fundedSeconds === 0) account.calls.push(call);
  call.fundedSeconds = Math.max(call.fundedSeconds, funding.fundedSeconds);
}

export async function renew(model: ModelState, call: ModelCall): Promise<void> {
  count(model, 'renew');
  const { account, callId, rate } = call;
  const usedSeconds = Math.floor((model.nowMs - call.startedAtMs) / 1000);
  await inAccount(model.db, account.id, async (tx) => {
    const firstNumber = await lastNumber(tx, account);
    const funding = await renewHold(tx, deps, {
      accountId: account.id,
      callId,
      usedSeconds,
      at: now(model),
    });
    const { fundedSeconds, isLast } = funding;
    if (isLast && fundedSeconds < wholeSteps(rate, usedSeconds + 60) && (await isOpen(tx, call))) {
      count(model, 'renewed for the last time');
      const neededMicros =
        priceMicros(rate, fundedSeconds + rate.stepSeconds) - priceMicros(rate, fundedSeconds);
      account.refusals.push({
        firstNumber,
        lastNumber: await lastNumber(tx, account),
        neededMicros,
        operation: `renew ${callId}`,
      });
    }
    return funding;
  }).then(({ fundedSeconds }) => {
    call.fundedSeconds = Math.max(call.fundedSeconds, fundedSeconds);
  });
}

export async function settle(model: ModelState, roll: Roll, call: ModelCall): Promise<void> {
  count(model, 'settle');
  const { account, callId } = call;
  const usedSeconds = Math.floor(((model.nowMs - call.startedAtMs) / 1000) * (roll() < 0.2 ? roll() : 1));
  call.askedSeconds.add(usedSeconds);
  const { pricePerMinuteMicros, ...settlement } = await inAccount(model.db, account.id, (tx) =>
    settleCall(tx, { accountId: account.id, callId, usedSeconds, at: now(model) }),
  );
  if (pricePerMinuteMicros !== call.rate.pricePerMinuteMicros)
    throw new Error(`${call.callId} was charged at another rate.`);
  noteEnd(call, settlement);
}

export function noteEnd(call: ModelCall, settlement: Settlement): void {
  const { account } = call;
  if (call.settlement) {
    if (JSON.stringify(call.settlement) === JSON.stringify(settlement)) return;
    throw new Error(
      `${call.callId} has conflicting settlements ${JSON.stringify([call.settlement, settlement])}.`,
    );
  }
  call.settlement = settlement;
  account.priceMicros += settlement.priceMicros;
  remove(account.calls, call);
  remove(account.abandoned, call);
  account.ended.push(call);
}

export function abandon(model: ModelState, call: ModelCall): void {
  count(model, 'abandoned');
  if (remove(call.account.calls, call)) call.account.abandoned.push(call);
}

export async function expire(model: ModelState): Promise<void> {
  count(model, 'expire');
  await expireHolds({ db: model.db, clock: { now: () => now(model) } }, new AbortController().signal);
}

let charges = 0;
export function makeCharge(model: ModelState, roll: Roll, account: ModelAccount): () => Promise<void> {
  charges += 1;
  const charge: ModelCharge = {
    id: charges,
    amountMicros: Math.ceil(roll() * 400) * 50_000,
    feeMicros: roll() < 0.3 ? Math.ceil(roll() * 100) * 10_000 : 0,
    isCredited: false,
    isTakenBack: false,
  };
  return () => credit(model, account, charge);
}

async function credit(model: ModelState, account: ModelAccount, charge: ModelCharge): Promise<void> {
  count(model, 'charge');
  await inAccount(model.db, account.id, async (tx) => {
    await insertCharge(tx, paid(model, account, charge));
    await creditCharge(tx, paid(model, account, charge));
  });
  if (charge.isCredited) return;
  charge.isCredited = true;
  account.creditMicros += charge.amountMicros;
  account.charges.push(charge);
}

export async function refund(model: ModelState, account: ModelAccount, charge: ModelCharge): Promise<void> {
  count(model, 'refund');
  // Derived from the charge id, so that a repetition chooses the same kind.
  const kind = charge.id % 3 === 0 ? 'chargeback' : 'refund';
  await inAccount(model.db, account.id, async (tx) => {
    await insertReversal(tx, paid(model, account, charge));
    await takeBackCharge(tx, deps, paid(model, account, charge), kind);
  });
  if (charge.isTakenBack) return;
  charge.isTakenBack = true;
  account.creditMicros -= charge.amountMicros;
}

const paid = (model: ModelState, account: ModelAccount, charge: ModelCharge) => ({
  accountId: account.id,
  book: 'test' as const,
  chargeId: charge.id,
  amountMicros: charge.amountMicros,
  feeMicros: charge.feeMicros,
  time: 0,
  at: now(model),
});

export function makeAdjustment(model: ModelState, roll: Roll, account: ModelAccount): () => Promise<void> {
  const micros = Math.round((roll() - 0.5) * 8_000_000);
  const key: string = randomUUID();
  return () => adjust(model, account, micros, key);
}

async function adjust(model: ModelState, account: ModelAccount, micros: number, key: string): Promise<void> {
  count(model, 'adjust');
  const adjustment = { accountId: account.id, micros, reason: 'Because', key, at: now(model) };
  const done = await refusable(model, account, -micros, 'adjust', (tx) => adjustCredit(tx, deps, adjustment));
  if (!done || account.adjustments.has(key)) return;
  account.adjustments.add(key);
  account.creditMicros += micros;
}

/** Returns undefined when rejected for insufficient credit; the comparison checks later whether that was correct. */
async function refusable<T>(
  model: ModelState,
  account: ModelAccount,
  neededMicros: number,
  operation: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T | undefined> {
  return await inAccount(model.db, account.id, async (tx) => {
    const firstNumber = await lastNumber(tx, account);
    try {
      return await work(tx);
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'INSUFFICIENT_CREDIT')) throw error;
      count(model, `${operation} refused`);
      const last = await lastNumber(tx, account);
      account.refusals.push({ firstNumber, lastNumber: last, neededMicros, operation });
      return undefined;
    }
  });
}

async function lastNumber(tx: Tx, account: ModelAccount): Promise<number> {
  const row = await tx
    .selectFrom('ledger_balances')
    .select('last_number')
    .where('account_id', '=', account.id)
    .where('book', '=', 'test')
    .executeTakeFirst();
  return row?.last_number ?? 0;
}

async function isOpen(tx: Tx, { account, callId }: ModelCall): Promise<boolean> {
  const row = await tx
    .selectFrom('call_holds')
    .select('state')
    .where('account_id', '=', account.id)
    .where('call_id', '=', callId)
    .executeTakeFirst();
  return row?.state === 'open';
}
