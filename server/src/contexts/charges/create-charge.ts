import { randomUUID } from 'node:crypto';
import type { Caller } from '../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../platform/db/database.ts';
import { claimKey, type KeyedRequest, keepAnswer, noteSubject } from '../../platform/idempotency.ts';
import { type Clock, secondsAfter } from '../../platform/time.ts';
import { recordChange } from '../audit/index.ts';
import { type Book, findBook, type LowBalanceDeps } from '../billing/index.ts';
import { applyPayment } from './apply-payment.ts';
import { refuseDueDate } from './charge.rules.ts';
import { deleteCharge, insertCharge, lockCharge } from './charge.store.ts';
import { type Charge, totalMicros } from './charge.ts';
import { findCustomer } from './financial.store.ts';
import { GatewayRefused, type PaymentGateway, type PaymentMethod } from './gateway.ts';
import { type Gateways, gatewayRefusal } from './gateways.ts';

export interface ChargeDeps extends LowBalanceDeps {
  db: Database;
  clock: Clock;
  gateways: Gateways;
  /** Our fee on top of an amount. */
  feeMicros: number;
}

export interface NewChargeRequest {
  paymentMethod: PaymentMethod;
  dueDate: string;
  amountMicros: number;
  description: string;
}

export type CreatedCharge<Shown> = { shown: Shown; replayed: boolean };

/** Within this time somebody who was cut short is expected to be gone, and the check takes over. */
const takeOverSeconds = 15;

/**
 * The charge is written down before the gateway is asked and named by our own reference, so whatever dies in between,
 * asking again finds the same payment: a repetition with its key, or the check that runs by the clock.
 */
export async function createCharge<Shown extends object>(
  deps: ChargeDeps,
  caller: Caller,
  input: NewChargeRequest,
  key: string | undefined,
  present: (charge: Charge) => Shown,
): Promise<CreatedCharge<Shown>> {
  const now = deps.clock.now();
  refuseDueDate(input.dueDate, now);
  const keyed =
    key === undefined
      ? undefined
      : { accountId: caller.accountId, route: 'POST /charges', key, body: input, at: now };
  const begun = await inAccount(deps.db, caller.accountId, (tx) =>
    begin<Shown>(tx, deps, caller, input, keyed),
  );
  if ('shown' in begun) return { shown: begun.shown, replayed: true };
  const charge = await openPayment(deps, caller.accountId, begun.chargeId);
  const shown = present(charge);
  if (keyed) await inAccount(deps.db, caller.accountId, (tx) => keepAnswer(tx, keyed, shown));
  return { shown, replayed: false };
}

async function begin<Shown>(
  tx: Tx,
  deps: ChargeDeps,
  caller: Caller,
  input: NewChargeRequest,
  keyed: KeyedRequest | undefined,
): Promise<{ shown: Shown } | { chargeId: number }> {
  if (keyed) {
    const claim = await claimKey(tx, keyed);
    if (claim.state === 'answered') return { shown: claim.body as Shown };
    if (claim.state === 'unfinished') return { chargeId: Number(claim.subjectId) };
  }
  const chargeId = await writeDown(tx, deps, caller, input);
  if (keyed) await noteSubject(tx, keyed, String(chargeId));
  return { chargeId };
}

async function writeDown(tx: Tx, deps: ChargeDeps, caller: Caller, input: NewChargeRequest): Promise<number> {
  const now = deps.clock.now();
  const book = await findBook(tx, caller.accountId);
  const gateway = deps.gateways.of(book);
  await findCustomer(tx, caller.accountId, book, gateway.name);
  const id = await insertCharge(tx, {
    ...input,
    reference: randomUUID(),
    accountId: caller.accountId,
    book,
    userId: caller.userId,
    gateway: gateway.name,
    feeMicros: deps.feeMicros,
    createdAt: now,
    nextCheckAt: secondsAfter(now, takeOverSeconds),
  });
  await recordChange(tx, {
    accountId: caller.accountId,
    at: now,
    actor: caller,
    origin: caller.origin,
    action: 'charge.create',
    target: { type: 'charge', id: String(id) },
    after: { ...input },
  });
  return id;
}

/** Asks the gateway for the payment of a charge that was written down, and completes the charge by it. */
export async function openPayment(deps: ChargeDeps, accountId: number, chargeId: number): Promise<Charge> {
  const { charge, customerId } = await inAccount(deps.db, accountId, async (tx) => {
    const charge = await lockCharge(tx, accountId, chargeId);
    if (!charge) throw new Error(`The charge ${chargeId} is gone.`);
    return { charge, customerId: await findCustomer(tx, accountId, charge.book, charge.gateway) };
  });
  if (charge.paymentId !== null) return charge;
  const payment = await ask(deps, gatewayOf(deps, charge.book), charge, customerId);
  return await inAccount(deps.db, accountId, async (tx) => {
    const current = await lockCharge(tx, accountId, chargeId);
    if (!current) throw new Error(`The charge ${chargeId} is gone.`);
    return current.paymentId === null
      ? await applyPayment(tx, deps, current, payment, deps.clock.now())
      : current;
  });
}

const gatewayOf = (deps: ChargeDeps, book: Book): PaymentGateway => deps.gateways.of(book);

async function ask(
  deps: ChargeDeps,
  gateway: PaymentGateway,
  charge: Charge,
  customerId: string | undefined,
) {
  try {
    return await gateway.ensurePayment({
      reference: charge.reference,
      customerId,
      method: charge.paymentMethod,
      totalMicros: totalMicros(charge),
      dueDate: charge.dueDate,
      description: charge.description,
    });
  } catch (error) {
    // What the gateway will never take must not stand in the way of the next charge.
    if (error instanceof GatewayRefused) {
      await inAccount(deps.db, charge.accountId, (tx) => deleteCharge(tx, charge.accountId, charge.id));
    }
    throw gatewayRefusal(error);
  }
}
