import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedger } from '../../../../src/contexts/billing/index.ts';
import { correctRunningCalls } from '../../../../src/contexts/calls/lifecycle/live-call.store.ts';
import type { Caller } from '../../../../src/platform/caller.ts';
import { everyPermission } from '../../../../src/platform/permissions.ts';
import { addDeck, giveCredit } from '../../../harness/fixtures/billing.ts';
import { addNode, type CallingAccount, createCallingAccount } from '../../../harness/fixtures/call-limits.ts';
import { markRegistered, nextBody } from '../../../harness/fixtures/extensions.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';
import { createRandom } from '../../../scenarios/chaos/random.ts';
import { numbers, type Payer, type Played, playSequence } from './money-sequence.ts';

const sequences = Number(process.env.MONEY_SEQUENCES ?? 2_000);
const clientsPerAccount = 2;
const seed = Number(process.env.FUZZ_SEED ?? 20_261_119);

/** Rates by number: reais per minute, and billed seconds. */
const rates: Record<string, { prefix: string; price: number; minimum: number; step: number; free: number }> =
  {
    [numbers[0]]: { prefix: '5511', price: 1, minimum: 60, step: 60, free: 0 },
    [numbers[1]]: { prefix: '5521', price: 0.37, minimum: 30, step: 6, free: 3 },
    [numbers[2]]: { prefix: '5531', price: 0, minimum: 1, step: 1, free: 0 },
  };

let platform: Platform;
let payers: (Payer & { account: CallingAccount })[];

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  await addDeck(platform, Object.values(rates));
  platform.clock.freeze();
  await addNode(platform);
  await platform.database.query('update media_nodes set controls_calls = true');
  payers = await Promise.all([1, 2, 3, 4].map(addPayer));
});
afterAll(() => platform.close());

async function addPayer() {
  const account = await createCallingAccount(platform, 4);
  await account.cap({ callsPerSecond: 1_000, concurrentCalls: 4, dailySpendMicros: 10 ** 12 });
  const colleagues: string[] = [];
  for (const _ of [1, 2]) {
    const { body } = await account.admin.client.post('/extensions/next-available', nextBody());
    await markRegistered(platform, body.id, 3 * 24 * 3600);
    colleagues.push(body.ramal);
  }
  const [user] = await platform.database.query<{ id: string }>('select id from users where uuid = $1', [
    account.admin.uuid,
  ]);
  const caller = {
    accountId: account.id,
    userId: Number(user?.id),
    role: 'ADMIN',
    permissions: everyPermission,
  } as Caller;
  return { account, caller, ramal: account.ramal, colleagues };
}

/** Returns the price of a leg, computed apart from the service. */
function priceOf(number: string, seconds: number): number {
  const rate = rates[number];
  if (!rate || seconds <= rate.free) return 0;
  const steps = Math.max(Math.ceil((seconds - rate.minimum) / rate.step), 0);
  const tenThousandths = ((rate.minimum + steps * rate.step) * Math.round(rate.price * 1e6)) / 60 / 100;
  const floor = Math.floor(tenThousandths);
  const rest = tenThousandths - floor;
  const isUp = Math.abs(rest - 0.5) < 1e-9 ? floor % 2 === 1 : rest > 0.5;
  return (floor + (isUp ? 1 : 0)) * 100;
}

interface Recorded {
  call_price_micros: number;
  duration: number;
  to: string;
  legs: { leg: string; number: string; duration: number; price_micros: number }[] | null;
}

/** Compares the record of a call with what happened, and returns its price. */
async function priceOfPlayed({ callId, legs, tally }: Played): Promise<number> {
  const [call] = await platform.database.query<Recorded>(
    'select call_price_micros, duration, "to", legs from calls where id = $1 and status = $2',
    [callId, 'ended'],
  );
  if (!call) throw new Error(`The call ${callId} has not ended.`);
  const expected = [...legs].map(([leg, { number, answeredMs, endedMs = 0 }]) => {
    const duration = answeredMs === undefined ? 0 : Math.ceil((endedMs - answeredMs) / 1000);
    const price = leg === 'a' || answeredMs === undefined ? 0 : priceOf(number, duration);
    // Of a lost call, the time of a free leg is bounded by the funding of its call.
    const isFree = leg === 'a' || !(number in rates);
    return {
      leg,
      number,
      duration: isFree && tally.has('lost') ? expect.any(Number) : duration,
      price_micros: price,
    };
  });
  const sum = expected.reduce((total, leg) => total + leg.price_micros, 0);
  const shown = call.legs?.map(({ leg, number, duration, price_micros }) => ({
    leg,
    number,
    duration,
    price_micros,
  }));
  if (shown) expect(shown, callId).toEqual(expected);
  const duration = expected.find(({ leg }) => leg === 'b')?.duration;
  expect([callId, call.call_price_micros, call.duration]).toEqual([callId, sum, duration]);
  return sum;
}

const available = async (accountId: number): Promise<number> => {
  const [row] = await platform.database.query<{ micros: string }>(
    'select available_micros as micros from ledger_balances where account_id = $1',
    [accountId],
  );
  return Number(row?.micros);
};

test(`CTRL-21 ${sequences} random sequences cost the sum of their legs and leave no hold or slot (FUZZ_SEED=${seed})`, async () => {
  const tally = new Map<string, number>();
  const startMs = platform.clock.now().getTime();
  let left = sequences;
  const before = new Map<number, number>();
  const spent = new Map<number, number>();
  for (const { account } of payers) before.set(account.id, await available(account.id));

  const run = async (payer: (typeof payers)[number], client: number): Promise<void> => {
    const { id } = payer.account;
    const random = createRandom(seed + id * 100 + client);
    while (left > 0) {
      const played = await playSequence(
        platform,
        payer,
        random,
        startMs + Math.floor(random.between(0, 1_000_000)),
      );
      if (!played) {
        await giveCredit(platform, id, 8);
        before.set(id, (before.get(id) ?? 0) + 8_000_000);
        continue;
      }
      left -= 1;
      const micros = await priceOfPlayed(played);
      spent.set(id, (spent.get(id) ?? 0) + micros);
      for (const [what, count] of played.tally) tally.set(what, (tally.get(what) ?? 0) + count);
    }
  };
  const clients = Array.from({ length: clientsPerAccount }, (_, client) => client);
  await Promise.all(payers.flatMap((payer) => clients.map((client) => run(payer, client))));

  for (const { account } of payers) {
    const [balance] = await platform.database.query<{ held_micros: number; running_calls: number }>(
      'select held_micros, running_calls from ledger_balances where account_id = $1',
      [account.id],
    );
    expect(balance).toEqual({ held_micros: 0, running_calls: 0 });
    expect(await available(account.id)).toBe((before.get(account.id) ?? 0) - (spent.get(account.id) ?? 0));
  }
  for (const left of ['live_legs', 'live_calls', "call_holds where state = 'open'"])
    expect(await platform.database.query(`select from ${left}`), left).toEqual([]);
  expect(await platform.database.query('select from ledger_balances where available_micros < 0')).toEqual([]);
  expect(await correctRunningCalls(platform.api.base.db)).toBe(0);
  expect(await auditLedger(platform.api.base)).toEqual([]);
  process.stdout.write(`${JSON.stringify(Object.fromEntries([...tally].toSorted()))}\n`);
  for (const what of ['blind', 'attended', 'conference', 'complete', 'cancel', 'answered', 'renewed', 'lost'])
    expect(tally.get(what) ?? 0, what).toBeGreaterThan(0);
  for (const code of ['INSUFFICIENT_CREDIT', 'CAPACITY_EXCEEDED'])
    expect(
      [...tally.keys()].some((what) => what.endsWith(code)),
      code,
    ).toBe(true);
});
