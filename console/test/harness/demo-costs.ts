import { addDeck, giveCredit } from '../../../server/test/harness/fixtures/billing.ts';
import { addChargedCall } from '../../../server/test/harness/fixtures/charged-calls.ts';
import type { DemoAccount } from './demo-account.ts';
import { plainCall } from './demo-calls.ts';

const callCount = 18;
const hourMs = 3_600_000;

/** Adds calls with their charges to a month before the other calls, which have no charges. Returns the month. */
export async function addChargedMonth({ platform, account }: DemoAccount): Promise<string> {
  const now = platform.clock.now();
  const startMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 5);
  await addDeck(platform, [{ prefix: '55', price: 0.12 }], new Date(startMs));
  await giveCredit(platform, account.id, 20);
  for (let n = 1; n <= callCount; n += 1) {
    const startedAt = new Date(startMs + n * 20 * hourMs);
    const { duration = 0, ...call } = plainCall(n, now.getTime());
    await addChargedCall(platform, account, { ...call, startedAt, duration });
  }
  return new Date(startMs).toISOString().slice(0, 7);
}
