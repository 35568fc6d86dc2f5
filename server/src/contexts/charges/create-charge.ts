import { randomUUID } from 'node:crypto';
import type { Caller } from '../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../platform/db/database.ts';
import {
  allowRepetition,
  claimKey,
  type KeyedRequest,
  keepAnswer,
  noteSubject,
  stillRunning,
} from '../../platform/idempotency.ts';
import type { Clock } from '../../platform/time.ts';
import { recordChangeBy } from '../audit/index.ts';
import { findBook } from '../billing/index.ts';
import { applyPayment, type PaymentDeps } from './apply-payment.ts';
import { isBeingOpened, leaseFrom, refuseDueDate } from './charge.rules.ts';
import { deleteCharge, insertCharge, lockCharge, saveCharge } from './charge.store.ts';
import { type Charge, totalMicros } from './charge.ts';
import { findCustomer } from './financial.store.ts';
import { GatewayRefused, type PaymentGateway, type PaymentMethod } from './gateway.ts';
import { type Gateways, gatewayRefusal } from './gateways.ts';

export interface ChargeDeps extends PaymentDeps {
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

/**
 * Writes the charge with our reference before calling the gateway. After any failure, a retry with the same key or the
 * scheduled check finds the same payment by that reference.
 */
export async function createCharge<Shown extends object>(
  deps: ChargeDeps,
  caller: Caller,
  input: NewChargeRequest,
  key: string | undefined,
  present: (charge: Charge) => Shown,
): Promise<CreatedCharge<Shown>> {
  const { accountId } = caller;
  const keyed =
    key === undefined
      ? undefined
      : { accountId, route: 'POST /charges', key, body: input, at: deps.clock.now() };
  const started = await inAccount(deps.db, accountId, (tx) => begin<Shown>(tx, deps, caller, input, keyed));
  if ('shown' in started) return { shown: started.shown, replayed: true };
  try {
    const shown = present(await openPayment(deps, accountId, started.chargeId));
    if (keyed) await inAccount(deps.db, accountId, (tx) => keepAnswer(tx, keyed, shown));
    return { shown, replayed: false };
  } catch (error) {
    await inAccount(deps.db, accountId, async (tx) => {
      await leaveToOthers(tx, deps, accountId, started.chargeId);
      if (keyed) await allowRepetition(tx, keyed);
    });
    throw error;
  }
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
    const chargeId = claim.state === 'unfinished' ? Number(claim.subjectId) : undefined;
    if (chargeId !== undefined && (await takeOver(tx, deps, caller.accountId, chargeId))) return { chargeId };
  }
  refuseDueDate(input.dueDate, deps.clock.now());
  const chargeId = await writeDown(tx, deps, caller, input);
  if (keyed) await noteSubject(tx, keyed, String(chargeId));
  return { chargeId };
}

/** Takes over a charge that another request has started. Returns false if it no longer exists. */
async function takeOver(tx: Tx, deps: ChargeDeps, accountId: number, chargeId: number): Promise<boolean> {
  const charge = await lockCharge(tx, accountId, chargeId);
  if (!charge || charge.paymentId !== null) return charge !== undefined;
  const now = deps.clock.now();
  if (isBeingOpened(charge, now)) {
    throw stillRunning('The payment of this charge is being created. Try again shortly.');
  }
  await saveCharge(tx, { ...charge, nextCheckAt: leaseFrom(now) });
  return true;
}

/** Releases the lease, so that a retry or the next check can continue. */
async function leaveToOthers(tx: Tx, deps: ChargeDeps, accountId: number, chargeId: number): Promise<void> {
  const charge = await lockCharge(tx, accountId, chargeId);
  if (charge?.paymentId === null) await saveCharge(tx, { ...charge, nextCheckAt: deps.clock.now() });
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
    nextCheckAt: leaseFrom(now),
  });
  await recordChangeBy(tx, caller, {
    at: now,
    action: 'charge.create',
    target: { type: 'charge', id: String(id) },
    after: { ...input },
  });
  return id;
}

/** Creates the payment of a stored charge at the gateway and completes the charge. */
export async function openPayment(deps: ChargeDeps, accountId: number, chargeId: number): Promise<Charge> {
  const { charge, customerId } = await inAccount(deps.db, accountId, async (tx) => {
    const charge = await lockCharge(tx, accountId, chargeId);
    if (!charge) throw new Error(`Charge ${chargeId} no longer exists.`);
    return { charge, customerId: await findCustomer(tx, accountId, charge.book, charge.gateway) };
  });
  if (charge.paymentId !== null) return charge;
  const payment = await ask(deps, deps.gateways.of(charge.book), charge, customerId);
  return await inAccount(deps.db, accountId, async (tx) => {
    const current = await lockCharge(tx, accountId, chargeId);
    if (!current) throw new Error(`Charge ${chargeId} no longer exists.`);
    return current.paymentId === null
      ? await applyPayment(tx, deps, current, payment, deps.clock.now())
      : current;
  });
}

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
    // A payment that the gateway rejects permanently must not block the next charge.
    if (error instanceof GatewayRefused) {
      await inAccount(deps.db, charge.accountId, (tx) => deleteCharge(tx, charge.accountId, charge.id));
    }
    throw gatewayRefusal(error);
  }
}
