import { inAccount, type Tx } from '../../platform/db/database.ts';
import { isUuid } from '../../platform/ids.ts';
import { secondsAfter } from '../../platform/time.ts';
import { applyPayment } from './apply-payment.ts';
import { isOpen, isPaid, leaseFrom } from './charge.rules.ts';
import {
  type ChargeAt,
  findCharge,
  findChargesToCheck,
  findPayment,
  findReference,
  lockCharge,
  saveCharge,
} from './charge.store.ts';
import type { Charge } from './charge.ts';
import { type ChargeDeps, openPayment } from './create-charge.ts';
import type { GatewayName } from './gateway.ts';

/** Handles a notification. Its content is not trusted: the payment is read from the gateway. */
export async function syncPayment(deps: ChargeDeps, gateway: GatewayName, paymentId: string): Promise<void> {
  const charge = await findPayment(deps.db, gateway, paymentId);
  if (charge) await syncCharge(deps, charge);
  else await adoptPayment(deps, gateway, paymentId);
}

/**
 * Handles a payment whose id we do not know: a request whose response was lost may have created it. If it carries our
 * reference and was paid, it becomes the charge's payment.
 */
async function adoptPayment(deps: ChargeDeps, name: GatewayName, paymentId: string): Promise<void> {
  const payment = await deps.gateways.named(name)?.readPayment(paymentId);
  const match =
    payment && isUuid(payment.reference) && (await findReference(deps.db, name, payment.reference));
  if (!payment || !match) return;
  const isKnown = await inAccount(deps.db, match.accountId, async (tx) => {
    const charge = await lockCharge(tx, match.accountId, match.chargeId);
    if (!charge || !isPaid(payment.status)) return false;
    if (charge.paymentId === payment.id) return true;
    if (isOpen(charge.status) || charge.status === 'CANCELED') {
      await applyPayment(tx, deps, charge, payment, deps.clock.now());
    } else {
      deps.log.error({ charge: charge.id, paymentId }, 'charge paid twice; refund the second payment');
    }
    return false;
  });
  if (isKnown) await syncCharge(deps, match);
}

const maxReads = 5;

/**
 * Reads a charge's payment from its gateway and updates the charge. If the charge changed during the read, the response
 * may be outdated, and the payment is read again.
 */
export async function syncCharge(deps: ChargeDeps, at: ChargeAt): Promise<Charge | undefined> {
  for (let reading = 0; reading < maxReads; reading += 1) {
    const before = await inAccount(deps.db, at.accountId, (tx) => findCharge(tx, at.accountId, at.chargeId));
    const gateway = before && deps.gateways.named(before.gateway);
    const payment = before?.paymentId ? await gateway?.readPayment(before.paymentId) : undefined;
    if (!before || !payment) return undefined;
    const after = await inAccount(deps.db, at.accountId, async (tx) => {
      const current = await lockCharge(tx, at.accountId, at.chargeId);
      if (!current || !isUnchanged(before, current)) return undefined;
      return await applyPayment(tx, deps, current, payment, deps.clock.now());
    });
    if (after) return after;
  }
  throw new Error(`Charge ${at.chargeId} kept changing while its payment was read.`);
}

const isUnchanged = (before: Charge, after: Charge): boolean =>
  before.paymentId === after.paymentId &&
  before.status === after.status &&
  before.movements === after.movements;

/** Charges per run. Runs are ten seconds apart; older charges are checked less often, to save the gateway's quota. */
const batch = 10;
const laterSeconds = 300;

/** Checks due charges, to find lost notifications, payments of crashed processes and passed due dates. */
export async function checkCharges(deps: ChargeDeps, signal: AbortSignal): Promise<void> {
  const due = await findChargesToCheck(deps.db, deps.clock.now(), batch);
  for (const at of due) {
    if (signal.aborted) return;
    try {
      await checkCharge(deps, at);
    } catch (error) {
      deps.log.warn({ err: error, charge: at.chargeId }, 'charge check failed');
      await postpone(deps, at);
    }
  }
}

async function checkCharge(deps: ChargeDeps, at: ChargeAt): Promise<void> {
  const charge = await inAccount(deps.db, at.accountId, (tx) => lease(tx, deps, at));
  if (!charge) return;
  if (charge.paymentId === null) await openPayment(deps, at.accountId, at.chargeId);
  else if (!(await syncCharge(deps, at))) await postpone(deps, at);
}

/** Returns undefined if another process holds the lease or has checked the charge since. */
async function lease(tx: Tx, deps: ChargeDeps, at: ChargeAt): Promise<Charge | undefined> {
  const now = deps.clock.now();
  const charge = await lockCharge(tx, at.accountId, at.chargeId);
  if (!charge?.nextCheckAt || charge.nextCheckAt > now) return undefined;
  await saveCharge(tx, { ...charge, nextCheckAt: leaseFrom(now) });
  return charge;
}

async function postpone(deps: ChargeDeps, { accountId, chargeId }: ChargeAt): Promise<void> {
  await inAccount(deps.db, accountId, async (tx) => {
    const charge = await lockCharge(tx, accountId, chargeId);
    if (charge)
      await saveCharge(tx, { ...charge, nextCheckAt: secondsAfter(deps.clock.now(), laterSeconds) });
  });
}
