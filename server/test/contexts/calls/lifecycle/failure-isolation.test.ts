import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sweepCalls } from '../../../../src/contexts/calls/lifecycle/sweep-calls.ts';
import { receiveRecords } from '../../../../src/contexts/telephony/nodes/receive-records.ts';
import { secondsAfter } from '../../../../src/platform/time.ts';
import { addDeck } from '../../../harness/fixtures/billing.ts';
import { type CallingAccount, createCallingAccount } from '../../../harness/fixtures/call-limits.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

let platform: Platform;
let calling: CallingAccount;
let broken: string;
let intact: string;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  await addDeck(platform, [{ prefix: '55', price: 0.6 }]);
  calling = await createCallingAccount(platform);
  await calling.cap({ callsPerSecond: 1_000 });
  await platform.database.query(
    `insert into media_nodes (name, secret_hash, sip_address, created_at) values ('m1', $1, '127.9.0.1:5060', now())`,
    [Buffer.alloc(32)],
  );
});
afterAll(() => platform.close());
beforeEach(async () => {
  broken = (await calling.call()).body.id;
  intact = (await calling.call()).body.id;
  // Deletes the hold, without which the call cannot be settled.
  await platform.database.query('delete from call_holds where call_id = $1', [broken]);
});

const isEnded = async (id: string) =>
  (await calling.admin.client.get(`/calls/${id}`)).body.status === 'ended';

test('a call that fails to be swept does not block others', async () => {
  const { db, observer } = platform.api.base;
  const clock = { now: () => secondsAfter(platform.clock.now(), 10) };
  await expect(sweepCalls({ db, clock, observer }, new AbortController().signal)).rejects.toThrow(
    'could not be swept',
  );
  expect([await isEnded(broken), await isEnded(intact)]).toEqual([false, true]);
});

test('a record that fails to be written does not block its batch, and is requested again', async () => {
  const { db, clock, observer } = platform.api.base;
  await platform.database.query(`update live_calls set node = 'm1', claimed_at = now()`);
  const endedOnNode = Date.now() / 1000;
  const end = {
    endedOnNode,
    answeredOnNode: null,
    cause: 17,
    sipStatus: 486,
    dialStatus: 'BUSY',
    endedBy: null,
  };
  const records = [broken, intact].map((callId) => ({ callId, end }));
  await expect(receiveRecords({ db, clock, observer }, 'm1', records, true)).rejects.toThrow(
    'could not be ended',
  );
  expect([await isEnded(broken), await isEnded(intact)]).toEqual([false, true]);
  const [node] = await platform.database.query('select records_complete_at from media_nodes');
  expect(node).toEqual({ records_complete_at: null });
});
