import { inAccount } from '../../platform/db/database.ts';
import { isUuid } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import { secondsAfter } from '../../platform/time.ts';
import { applyPayment } from './apply-payment.ts';
import { isPaid } from './charge.rules.ts';
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

/** A gateway spoke of a payment. What it said is not believed: the payment is read again. */
export async function syncPayment(
  deps: ChargeDeps & { log: Logger },
  gateway: GatewayName,
  paymentId: string,
): Promise<void> {
  const found = await findPayment(deps.db, gateway, paymentId);
  if (found) await syncCharge(deps, found);
  else await adoptPayment(deps, gateway, paymentId);
}

/**
 * A request that got no answer may have made a payment that we do not know by its id. Its reference is ours: if it is
 * what was paid, it becomes the charge's payment.
 */
async function adoptPayment(
  deps: ChargeDeps & { log: Logger },
  name: GatewayName,
  paymentId: string,
): Promise<void> {
  const payment = await deps.gateways.named(name)?.readPayment(paymentId);
  const found =
    payment && isUuid(payment.reference) && (await findReference(deps.db, name, payment.reference));
  if (!payment || !found) return;
  await inAccount(deps.db, found.accountId, async (tx) => {
    const charge = await lockCharge(tx, found.accountId, found.chargeId);
    if (!charge || !isPaid(payment.status)) return;
    if (charge.creditedMicros === 0) await applyPayment(tx, deps, charge, payment, deps.clock.now());
    else
      deps.log.error({ charge: charge.id, paymentId }, 'a charge was paid twice; refund the second payment');
  });
}

/** Reads a charge's payment at its gateway and brings the charge in line with it. */
export async function syncCharge(
  deps: ChargeDeps,
  { accountId, chargeId }: ChargeAt,
): Promise<Charge | undefined> {
  const charge = await inAccount(deps.db, accountId, (tx) => findCharge(tx, accountId, chargeId));
  const gateway = charge && deps.gateways.named(charge.gateway);
  const payment = charge?.paymentId ? await gateway?.readPayment(charge.paymentId) : undefined;
  if (!payment) return undefined;
  return await inAccount(deps.db, accountId, async (tx) => {
    const current = await lockCharge(tx, accountId, chargeId);
    return current && (await applyPayment(tx, deps, current, payment, deps.clock.now()));
  });
}

const batch = 50;
const laterSeconds = 300;

/** Reads again what is due: lost notifications, payments of processes that died, due dates that passed. */
export async function checkCharges(deps: ChargeDeps & { log: Logger }, signal: AbortSignal): Promise<void> {
  const due = await findChargesToCheck(deps.db, deps.clock.now(), batch);
  for (const at of due) {
    if (signal.aborted) return;
    try {
      await checkCharge(deps, at);
    } catch (error) {
      deps.log.warn({ err: error, charge: at.chargeId }, 'a charge could not be checked');
      await postpone(deps, at);
    }
  }
}

async function checkCharge(deps: ChargeDeps, at: ChargeAt): Promise<void> {
  const charge = await inAccount(deps.db, at.accountId, (tx) => lockCharge(tx, at.accountId, at.chargeId));
  if (!charge) return;
  if (charge.paymentId === null) await openPayment(deps, at.accountId, at.chargeId);
  else if (!(await syncCharge(deps, at))) await postpone(deps, at);
}

async function postpone(deps: ChargeDeps, { accountId, chargeId }: ChargeAt): Promise<void> {
  await inAccount(deps.db, accountId, async (tx) => {
    const charge = await lockCharge(tx, accountId, chargeId);
    if (charge)
      await saveCharge(tx, { ...charge, nextCheckAt: secondsAfter(deps.clock.now(), laterSeconds) });
  });
}
