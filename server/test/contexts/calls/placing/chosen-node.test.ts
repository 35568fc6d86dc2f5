import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { claimCalls, claimChosenCalls, type Lease } from '../../../../src/contexts/calls/index.ts';
import { openNodeDirectory } from '../../../../src/contexts/telephony/index.ts';
import {
  noteFull,
  noteGone,
  noteSeen,
  takeLease,
} from '../../../../src/contexts/telephony/nodes/node.store.ts';
import {
  type CallingAccount,
  createCallingAccount,
  startCallLimitPlatform,
} from '../../../harness/fixtures/call-limits.ts';
import type { Platform } from '../../../harness/platform.ts';
import { until } from '../../../harness/until.ts';

const engine = { startedAt: 'then', version: '1', controlsCalls: false };
/** Longer than the time within which only the chosen node claims a call. */
const overdueMs = 600;

let platform: Platform;
let account: CallingAccount;
beforeAll(async () => {
  platform = await startCallLimitPlatform();
  account = await createCallingAccount(platform);
  for (const number of [1, 2])
    await platform.database.query(
      `insert into media_nodes (name, secret_hash, sip_address, created_at) values ($1, $2, $3, now())`,
      [`m${number}`, Buffer.alloc(32), `127.9.0.${number}:5060`],
    );
});
afterAll(() => platform.close());
beforeEach(async () => {
  await account.endCalls();
  await platform.database.query(
    `update media_nodes set connected = false, state = 'active', free_slots = null`,
  );
});

/** Connects a node that has free slots. */
async function connect(node: string, freeSlots = 10): Promise<Lease> {
  const lease = await takeLease(platform.api.base.db, node, engine, new Date());
  await report(lease, freeSlots);
  return lease;
}

/** Reports the node as its controller does every second. */
const report = (lease: Lease, freeSlots: number) =>
  noteSeen(platform.api.base.db, lease, { at: new Date(), msAgo: 0, skewMs: 0, freeSlots });

const claimBy = async (lease: Lease, claim = claimCalls): Promise<string[]> => {
  const at = platform.clock.now();
  const claimed = await claim(platform.api.base.db, lease, new Date(0), at, 100);
  return claimed.map(({ callId }) => callId);
};

/** Places a call for which the lease is proposed; returns its id and the node chosen. */
async function placeFor(lease: Lease | undefined): Promise<{ id: string; node: string | null }> {
  const original = platform.api.app.chooseNode;
  platform.api.app.chooseNode = () => lease;
  try {
    platform.clock.advance(1);
    const { status, body } = await account.call();
    expect(status).toBe(200);
    const [row] = await platform.database.query('select chosen_node from live_calls where call_id = $1', [
      body.id,
    ]);
    return { id: body.id, node: row?.chosen_node };
  } finally {
    platform.api.app.chooseNode = original;
  }
}

test('CALL-48 only the chosen node claims a call at once', async () => {
  const [m1, m2] = [await connect('m1'), await connect('m2')];
  const { id, node } = await placeFor(m1);
  expect(node).toBe('m1');
  // Within its time, by the clock of the database.
  await platform.database.query(`update live_calls set chosen_until = now() + interval '1 minute'`);
  expect(await claimBy(m2)).toEqual([]);
  expect(await claimBy(m2, claimChosenCalls)).toEqual([]);
  expect(await claimBy(m1, claimChosenCalls)).toEqual([id]);
  expect(await claimBy(m1)).toEqual([]);
});

test('CALL-49 another node claims, once, what the chosen node did not claim in time', async () => {
  const [m1, m2] = [await connect('m1'), await connect('m2')];
  const { id, node } = await placeFor(m1);
  expect(node).toBe('m1');
  await noteGone(platform.api.base.db, m1);
  await sleep(overdueMs);
  expect(await claimBy(m2, claimChosenCalls)).toEqual([]);
  expect(await claimBy(m2)).toEqual([id]);
  expect(await claimBy(m1)).toEqual([]);
  expect(await claimBy(m1, claimChosenCalls)).toEqual([]);
});

test('CALL-49 the next lease holder of the chosen node claims the call, the fenced one does not', async () => {
  const fenced = await connect('m1');
  const { id } = await placeFor(fenced);
  const next = await connect('m1');
  expect(await claimBy(fenced, claimChosenCalls)).toEqual([]);
  expect(await claimBy(next, claimChosenCalls)).toEqual([id]);
});

test('CALL-48 CALL-49 a node that cannot take the call is not chosen, and any other claims it', async () => {
  const { db } = platform.api.base;
  const m2 = await connect('m2');
  const unfit: [string, (lease: Lease) => Promise<unknown>][] = [
    [
      'draining',
      () => platform.database.query(`update media_nodes set state = 'draining' where name = 'm1'`),
    ],
    ['full', (lease) => noteFull(db, lease)],
    ['disconnected', (lease) => noteGone(db, lease)],
    ['under another lease', () => connect('m1')],
  ];
  for (const [why, make] of unfit) {
    await platform.database.query(`update media_nodes set state = 'active' where name = 'm1'`);
    const lease = await connect('m1');
    await make(lease);
    const { id, node } = await placeFor(lease);
    expect(node, why).toBeNull();
    expect(await claimBy(m2), why).toEqual([id]);
  }
});

test('CALL-48 only connected nodes with free slots that are not draining are known to take calls', async () => {
  const nodes = openNodeDirectory(platform.api.base.db, () => undefined);
  try {
    await connect('m2', 0);
    const m1 = await connect('m1');
    const chosen = await until(async () => {
      await report(m1, 10);
      return nodes.choose();
    }, 'the node is known');
    expect(chosen).toEqual({ node: 'm1', epoch: m1.epoch });
    await platform.database.query(`update media_nodes set state = 'draining' where name = 'm1'`);
    await until(async () => {
      await report(m1, 10);
      return nodes.choose() === undefined;
    }, 'the draining node is not known');
  } finally {
    nodes.close();
  }
});

test('CALL-48 CALL-49 only the node of a call is woken, and every node if none is chosen', async () => {
  const wakeVoice = vi.spyOn(platform.api.app, 'wakeVoice');
  const m1 = await connect('m1');
  const { id } = await placeFor(m1);
  expect(wakeVoice.mock.calls).toEqual([['call', 'm1']]);
  expect(await claimBy(m1)).toEqual([id]);
  const { body } = await account.admin.client.post(`/calls/${id}/hangup`);
  expect(body.status).toBe('ending');
  expect(wakeVoice.mock.calls.slice(1)).toEqual([['hangup', 'm1']]);
  await placeFor(undefined);
  expect(wakeVoice.mock.calls.slice(2)).toEqual([['call', undefined]]);
  wakeVoice.mockRestore();
});
