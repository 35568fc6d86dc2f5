import { setCaps } from '../../src/contexts/calls/index.ts';
import { addDeck, giveCredit } from '../billing/scene.ts';
import { nextBody, seemRegistered } from '../extensions/scene.ts';
import type { Answer } from '../harness/client.ts';
import { openOperator } from '../harness/operator.ts';
import { createAccount, type TestAccount } from '../harness/people.ts';
import { type Platform, startPlatform } from '../harness/platform.ts';

/** What a minute costs, by the number that is called. */
export const destinations = {
  ordinary: '5511987654321',
  dear: '5521987654321',
  free: '5531987654321',
} as const;

export async function startCalling(): Promise<Platform> {
  const platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  await addDeck(platform, [
    { prefix: '55', price: 1, minimum: 60, step: 60, free: 0 },
    { prefix: '5521', price: 1.01 },
    { prefix: '5531', price: 0 },
    { prefix: '351', price: 0.5 },
  ]);
  // Seconds pass only when a test says so.
  platform.clock.freeze();
  return platform;
}

/** An account with credit and an extension that seems registered. */
export interface Calling extends TestAccount {
  ramal: string;
  call(called?: string, changes?: Record<string, unknown>): Promise<Answer>;
  cap(caps: Parameters<typeof setCaps>[2]): Promise<void>;
  /** How many of its calls have not ended. */
  running(): Promise<number>;
  /** Ends all of its calls without charging them. */
  endCalls(): Promise<unknown>;
}

export async function createCalling(platform: Platform, reais = 10_000): Promise<Calling> {
  const account = await createAccount(platform);
  const { client } = account.admin;
  const extension = (await client.post('/extensions/next-available', nextBody())).body;
  await seemRegistered(platform, extension.id, 3 * 24 * 3600);
  if (reais > 0) await giveCredit(platform, account.id, reais);
  const { query } = platform.database;
  return {
    ...account,
    ramal: extension.ramal,
    call: (called = destinations.ordinary, changes = {}) =>
      client.post('/calls', { called, extension: extension.ramal, metadata: {}, ...changes }),
    async cap(caps) {
      const operator = openOperator(platform);
      await setCaps(operator, account.id, caps);
      await operator.close();
    },
    running: async () => (await query('select from live_calls where account_id = $1', [account.id])).length,
    endCalls: () => query('delete from live_calls where account_id = $1', [account.id]),
  };
}

/** How many answers there are of each status or error code. */
export const tally = (answers: Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const name = status === 200 ? 'accepted' : String(body.error.errorCode);
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
};
