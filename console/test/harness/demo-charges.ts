import { syncPayment } from '../../../server/src/contexts/charges/sync-charge.ts';
import { giveCredit } from '../../../server/test/harness/fixtures/billing.ts';
import { cancel, create } from '../../../server/test/harness/fixtures/charges.ts';
import type { TestAccount } from '../../../server/test/harness/people.ts';
import type { Platform } from '../../../server/test/harness/platform.ts';

/** Adds statement entries of every type, and charges in every state except open. */
export async function addCharges(platform: Platform, account: TestAccount): Promise<{ chargeId: number }> {
  await giveCredit(platform, account.id, 25);
  const chargeId = await settleCharge(platform, account, ['pay']);
  await settleCharge(platform, account, ['pay', 'refund']);
  const { id } = await create(platform, account, { paymentMethod: 'BOLETO', amount: 1_250.5 });
  await cancel(account, id);
  // Restores the initial balance.
  await giveCredit(platform, account.id, -225);
  return { chargeId };
}

/** Simulates the payer's action and processes the gateway's notification immediately. */
async function settleCharge(
  platform: Platform,
  account: TestAccount,
  steps: ('pay' | 'refund')[],
): Promise<number> {
  const { id, paymentId } = await create(platform, account, { amount: 200 });
  for (const step of steps) {
    await account.admin.client.post(`/sandbox/charges/${id}/${step}`, { notifications: 0 });
    await syncPayment(platform.api.app, 'sandbox', paymentId);
  }
  return id;
}

/** Opens the charge; an account has at most one open charge. */
export async function openCharge(platform: Platform, account: TestAccount, paymentMethod: string) {
  await closeCharges(account);
  await create(platform, account, { paymentMethod, amount: 150 });
}

export async function closeCharges(account: TestAccount): Promise<void> {
  const open = { where: { status: 'PENDING' } };
  const { body } = await account.admin.client.list('/charges', open, { page: '1' });
  for (const { id } of body.data) await cancel(account, id);
}
