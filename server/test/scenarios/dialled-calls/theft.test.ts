import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWatch } from '../../../src/contexts/abuse/watch-accounts.ts';
import { setCaps } from '../../../src/contexts/calls/index.ts';
import { sumCalls } from '../../../src/contexts/calls/summary/sum-calls.ts';
import { addDeck, giveCredit } from '../../harness/fixtures/billing.ts';
import { insertCalls } from '../../harness/fixtures/call-rows.ts';
import { setMode } from '../../harness/fixtures/charges.ts';
import { finalStatus } from '../../harness/fixtures/dialled-calls.ts';
import { openOperator } from '../../harness/operator.ts';
import type { TestAccount } from '../../harness/people.ts';
import { until } from '../../harness/until.ts';
import { numberEnding } from '../../harness/voice/lines.ts';
import { startVoicePlatform, type VoicePlatform } from '../../harness/voice/voice-platform.ts';

/** As the worker's schedule. */
const watchEveryMs = 10_000;

let platform: VoicePlatform;
beforeAll(async () => {
  platform = await startVoicePlatform({ trunkMode: 'live' });
  const rates = [
    { prefix: '55', price: 0.1 },
    { prefix: '5592', price: 3 },
  ];
  await addDeck(platform, rates, new Date(Date.now() - 1_000));
});
afterAll(() => platform?.close());

/** Creates a live account that has called São Paulo for three weeks, always twelve hours from now. */
async function addAccount(): Promise<TestAccount> {
  const account = await platform.addAccount(0);
  await setMode(platform, account, 'live');
  await giveCredit(platform, account.id, 500);
  const operator = openOperator(platform);
  await setCaps(operator, account.id, { pricePerMinuteMicros: 10_000_000 });
  await operator.close();
  const calls = Array.from({ length: 105 }, (_, index) => ({
    startedAt: new Date(Date.now() - (Math.floor(index / 5) + 1.5) * 86_400_000 + (index % 5) * 60_000),
  }));
  await insertCalls(platform.database, account, calls);
  await platform.database.query("update calls set book = 'live' where account_id = $1", [account.id]);
  await platform.database.query(
    `insert into call_words (account_id, word, id) select account_id, "to", id from calls where account_id = $1`,
    [account.id],
  );
  const { db, clock } = platform.api.base;
  await sumCalls({ db, clock }, new AbortController().signal);
  return account;
}

test('ABUSE-01 ABUSE-02 a thief with a stolen SIP password who dials expensive numbers is stopped within 60 s and under R$ 20', async () => {
  const account = await addAccount();
  const line = await platform.addLine(account);
  const { db, clock } = platform.api.base;
  const raised: string[] = [];
  const observer = { signalRaised: (kind: string) => raised.push(kind) };
  const watch = createWatch({ ...platform.api.money, db, clock, observer, actions: {} });
  let watching = Promise.resolve();
  const timer = setInterval(() => {
    watching = watching.then(() => watch(new AbortController().signal));
  }, watchEveryMs);

  const startedAt = Date.now();
  // As many as the account may have at once.
  for (let placed = 0; placed < 10; placed += 1) await line.phone.dial(numberEnding('00', '92'));
  await until(async () => {
    const live = await platform.database.query('select from live_calls where account_id = $1', [account.id]);
    return raised.length > 0 && live.length === 0;
  }, 'all calls have ended');
  expect(Date.now() - startedAt).toBeLessThan(60_000);
  clearInterval(timer);
  await watching;
  expect(raised).toContain('new_destinations');

  expect(await finalStatus(await line.phone.dial(numberEnding('00', '92')))).toBe(403);
  const [spent] = await platform.database.query<{ reais: number }>(
    `select sum(call_price_micros)::float8 / 1e6 as reais from calls where account_id = $1 and "to" like '5592%'`,
    [account.id],
  );
  expect(spent?.reais).toBeGreaterThan(0);
  expect(spent?.reais).toBeLessThan(20);
});
