import { afterAll, beforeAll, expect, test } from 'vitest';
import { sequenceEvents } from '../../../src/contexts/webhooks/delivery/sequence-events.ts';
import { inTransaction } from '../../../src/platform/db/database.ts';
import { executePrepared, prepared } from '../../../src/platform/db/prepared.ts';
import { createAccount } from '../../harness/people.ts';
import { runCall } from '../../harness/webhooks/calls.ts';
import { type Receiver, startReceiver, webhooksAbout } from '../../harness/webhooks/receiver.ts';
import {
  addIntegration,
  startWebhookPlatform,
  type WebhookPlatform,
} from '../../harness/webhooks/webhook-platform.ts';

const callTypes = ['channel-create', 'channel-ringing', 'channel-answer', 'channel-hangup', 'call-priced'];

let platform: WebhookPlatform;
let receiver: Receiver;
beforeAll(async () => {
  platform = await startWebhookPlatform();
  receiver = await startReceiver();
});
afterAll(async () => {
  await platform.close();
  await receiver.stop();
});

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
const ascending = (numbers: number[]): number[] => numbers.toSorted((one, other) => one - other);

test('HOOK-21 payloads are numbered per call and per account', async () => {
  const accounts = [await createAccount(platform), await createAccount(platform)];
  for (const { admin } of accounts) await addIntegration(admin, receiver.url, callTypes);
  for (const account of accounts) {
    const before = receiver.received.length;
    const calls = [
      await runCall(platform, account),
      await runCall(platform, account, { seconds: 0 }),
      await runCall(platform, account),
    ];
    await platform.untilIdle();
    const steps = calls.map(({ id }) =>
      ascending(webhooksAbout(receiver, id).map(({ body }) => body.sequence)),
    );
    expect(steps).toEqual([upTo(5), upTo(4), upTo(5)]);
    for (const { id } of calls) {
      const sorted = webhooksAbout(receiver, id).toSorted(
        (one, other) => one.body.sequence - other.body.sequence,
      );
      const numbers = sorted.map(({ body }) => body.accountSequence);
      expect(numbers).toEqual(ascending(numbers));
    }
    const all = receiver.received.slice(before).map(({ body }) => body.accountSequence);
    const [silent] = await platform.database.query<{ count: number }>(
      `select count(*) from recorded_events where account_id = $1 and type <> all ($2)`,
      [account.id, callTypes],
    );
    // Events without a subscriber are numbered as well.
    expect(new Set(all).size).toBe(14);
    expect(Math.max(...all)).toBeLessThanOrEqual(14 + Number(silent?.count));
  }
});

test('HOOK-20 HOOK-21 concurrent writers and sequencers leave no gap and no duplicate', async () => {
  await platform.pause();
  const accounts = await Promise.all(upTo(3).map(() => createAccount(platform)));
  for (const { admin } of accounts) await addIntegration(admin, receiver.url, ['channel-hangup']);
  for (const account of accounts) await runCall(platform, account);
  const deps = { ...platform.api.base, ...platform.api.money };
  let isWriting = true;
  const numbering = upTo(3).map(async (each) => {
    while (isWriting || (await sequenceEvents(deps)) > 0) {
      const work = each === 1 ? abortNumbering() : sequenceEvents(deps);
      await work.catch(() => undefined);
    }
  });
  /** Simulates a process that dies before its commit. */
  async function abortNumbering(): Promise<void> {
    await inTransaction(deps.db, async (tx) => {
      await executePrepared(tx, prepared`select number_events(500, ${deps.clock.now()})`);
      throw new Error('died');
    });
  }
  const writing = accounts.flatMap((account) =>
    upTo(4).map(async () => {
      for (let call = 0; call < 10; call += 1) await runCall(platform, account);
    }),
  );
  await Promise.all(writing);
  isWriting = false;
  await Promise.all(numbering);
  for (const { id } of accounts) {
    const rows = await platform.database.query<{ number: number; planned: number }>(
      `select account_sequence as number,
              (select count(*) from deliveries d where d.event_id = e.id) as planned, type
         from recorded_events e where account_id = $1 order by account_sequence`,
      [id],
    );
    expect(rows.map(({ number }) => Number(number))).toEqual(upTo(rows.length));
    const [due] = await platform.database.query<{ count: number }>(
      `select count(*) from recorded_events e where account_id = $1 and type = 'channel-hangup'
          and (select count(*) from deliveries d where d.event_id = e.id) <> 1`,
      [id],
    );
    expect(Number(due?.count)).toBe(0);
  }
  platform.resume();
  await platform.untilIdle();
  const [left] = await platform.database.query<{ count: number }>(
    `select count(*) from deliveries where state <> 'delivered'`,
  );
  expect(Number(left?.count)).toBe(0);
});
