import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endCallsOfAccount } from '../../../../src/contexts/calls/index.ts';
import { endQuietly } from '../../../../src/contexts/calls/lifecycle/end-call.ts';
import { lockLiveCall } from '../../../../src/contexts/calls/lifecycle/live-call.store.ts';
import { inAccount } from '../../../../src/platform/db/database.ts';
import { addDeck } from '../../../harness/fixtures/billing.ts';
import { createCallingAccount } from '../../../harness/fixtures/call-limits.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  await addDeck(platform, [{ prefix: '55', price: 0.6 }]);
});
afterAll(() => platform.close());

async function untilBlocked(): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await platform.database.query(waiting)).length === 0) await sleep(10);
}

test('ACCT-08 ending all calls of an account does not deadlock with the end of one of them', async () => {
  const calling = await createCallingAccount(platform);
  const first: string = (await calling.call()).body.id;
  const second: string = (await calling.call()).body.id;
  const { db, clock } = platform.api.base;
  let endAll = Promise.resolve();
  await inAccount(db, calling.id, async (tx) => {
    const call = await lockLiveCall(tx, calling.id, second);
    if (!call) throw new Error('The call is not live.');
    endAll = inAccount(db, calling.id, (other) => endCallsOfAccount(other, calling.id, clock.now()));
    await untilBlocked();
    await endQuietly(tx, call, 'NORMAL_CLEARING', clock.now());
  });
  await endAll;
  expect(await calling.running()).toBe(0);
  const read = async (id: string) => (await calling.admin.client.get(`/calls/${id}`)).body.hangup_cause;
  expect([await read(first), await read(second)]).toEqual(['ORIGINATOR_CANCEL', 'NORMAL_CLEARING']);
});
