import type { Caller } from '../../platform/caller.ts';
import { inAccount, type Tx } from '../../platform/db/database.ts';
import { notFound, Refusal } from '../../platform/errors.ts';
import { recordChangeBy } from '../audit/index.ts';
import { applyPayment } from './apply-payment.ts';
import { isOpen, leaseFrom } from './charge.rules.ts';
import { lockCharge, saveCharge } from './charge.store.ts';
import type { Charge } from './charge.ts';
import type { ChargeDeps } from './create-charge.ts';
import { gatewayRefusal } from './gateways.ts';

/** Cancels an open charge. Idempotent; a charge paid before the gateway cancels it stays paid. */
export async function cancelCharge(deps: ChargeDeps, caller: Caller, chargeId: number): Promise<Charge> {
  const { accountId } = caller;
  const charge = await inAccount(deps.db, accountId, (tx) => lockToCancel(tx, deps, accountId, chargeId));
  if (!charge?.paymentId) throw notFound();
  if (charge.status === 'CANCELED') return charge;
  if (!isOpen(charge.status)) throw notCancelable();
  const payment = await deps.gateways.of(charge.book).cancelPayment(charge.paymentId).catch(rethrow);
  return await inAccount(deps.db, accountId, async (tx) => {
    const current = await lockCharge(tx, accountId, chargeId);
    if (!current) throw notFound();
    // A status set in the meantime is newer than the gateway's response to the cancellation.
    if (!isOpen(current.status)) return current;
    const after = await applyPayment(tx, deps, current, payment, deps.clock.now());
    if (after.status !== 'CANCELED') return after;
    await recordChangeBy(tx, caller, {
      at: deps.clock.now(),
      action: 'charge.cancel',
      target: { type: 'charge', id: String(chargeId) },
      before: { status: current.status },
      after: { status: after.status },
    });
    return after;
  }).then(refuseIfPaid);
}

/**
 * Locks the charge for its cancellation. If this process dies after the gateway has cancelled the payment, the next
 * check detects it.
 */
async function lockToCancel(
  tx: Tx,
  deps: ChargeDeps,
  accountId: number,
  chargeId: number,
): Promise<Charge | undefined> {
  const charge = await lockCharge(tx, accountId, chargeId);
  if (charge?.paymentId && isOpen(charge.status))
    await saveCharge(tx, { ...charge, nextCheckAt: leaseFrom(deps.clock.now()) });
  return charge;
}

function refuseIfPaid(charge: Charge): Charge {
  if (charge.status !== 'CANCELED') throw notCancelable();
  return charge;
}

function rethrow(error: unknown): never {
  throw gatewayRefusal(error);
}

const notCancelable = () =>
  new Refusal('CHARGE_NOT_CANCELABLE', 'Only an open charge can be cancelled; this one has been paid.');
