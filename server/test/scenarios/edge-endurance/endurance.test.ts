import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerCalls, openMediaNode } from '../../harness/edge/calls.ts';
import { type EdgeFixture, startEdges, type TestEdge } from '../../harness/edge/edge.ts';
import { openSipClient, type SipClient } from '../../harness/edge/sip-client.ts';
import { openCrowd } from './crowd.ts';
import { addCrowd, crowdPhone, registerCrowd } from './crowd-rows.ts';
import { startFlood } from './flood.ts';
import {
  callPhone,
  type LegitimatePhone,
  logIn,
  startRegistrations,
  startRequests,
} from './legitimate-phones.ts';

const registered = 10_000;
const stormPhones = 500;
const honestPhones = 20;
const floodPerSecond = 2_000;
const floodMs = 5_000;
const callsPerSecond = 20;
const logInPauseMs = 500;
/** Normally much faster; a busy machine takes longer. */
const backWithinMs = 120_000;

let fixture: EdgeFixture;
let edge: TestEdge;
let node: SipClient;
let honest: LegitimatePhone[];

beforeAll(async () => {
  fixture = await startEdges();
  await addCrowd(fixture.database.query, registered);
  edge = await fixture.startEdge();
  await registerCrowd(fixture.database.query, registered, edge.public);
  await edge.engine.restart('kill');
  node = await openMediaNode(fixture, edge);
  honest = await Promise.all(
    Array.from({ length: honestPhones }, async (_, index) => openHonestPhone(registered - 1 - index)),
  );
});
afterAll(async () => {
  await Promise.all(honest.map(({ client }) => client.close()));
  await node.close();
  await fixture.close();
});

async function openHonestPhone(index: number): Promise<LegitimatePhone> {
  const { address, ...who } = crowdPhone(index);
  const client = await openSipClient({ server: edge.public, local: { address } });
  answerCalls(client);
  const phone = { client, who };
  expect(await logIn(phone)).toBeUndefined();
  return phone;
}

const phoneAt = (index: number): LegitimatePhone => {
  const phone = honest[index % honest.length];
  if (!phone) throw new Error('There are no phones.');
  return phone;
};

const isRegistered = async (): Promise<number> => {
  const [row] = await fixture.database.query<{ count: number }>(
    'select count(*)::int as count from extension_presence where expires_at > now()',
  );
  return row?.count ?? 0;
};

const foreignRegistrations = (): Promise<unknown[]> =>
  fixture.database.query(`select username, domain from edge.location where domain not like 'crowd-%'`);

test('ten thousand extensions are registered, and one of them rings', async () => {
  expect(await isRegistered()).toBe(registered);
  expect(await callPhone(node, phoneAt(0))).toBeUndefined();
});
test.each([
  ['udp', 0],
  ['tcp', stormPhones],
] as const)(
  'after an edge restart %s phones all register again at the same time',
  async (transport, from) => {
    const phones = Array.from({ length: stormPhones }, (_, index) => crowdPhone(from + index));
    const crowd = await openCrowd(edge.public, phones, transport);
    await edge.engine.stop('kill');
    const storm = crowd.registerAtOnce();
    await edge.engine.restart('kill');
    const calls = startRequests(callsPerSecond, (index) => callPhone(node, phoneAt(index)));
    const { failed, refusals, lastMs } = await storm;
    const placed = await calls.stop();
    await crowd.close();

    expect({ failed, refusals }).toEqual({ failed: 0, refusals: new Map() });
    expect(lastMs).toBeLessThan(backWithinMs);
    expect(placed.asked).toBeGreaterThan(0);
    expect(placed.faults).toEqual([]);
  },
);

test('2,000 malformed messages per second disturb no valid call and reach no media node', async () => {
  const processes = edge.control('core.psx');
  node.requests.length = 0;
  const flood = await startFlood(edge.public, node.local, floodPerSecond);
  const calls = startRequests(callsPerSecond, (index) => callPhone(node, phoneAt(index)));
  const registrations = startRegistrations(honest, logInPauseMs);
  await sleep(floodMs);
  const [placed, reregistered, sent] = await Promise.all([calls.stop(), registrations.stop(), flood.stop()]);

  expect((sent.datagrams + sent.streams) / sent.seconds).toBeGreaterThanOrEqual(floodPerSecond);
  expect(sent.streams).toBeGreaterThan(0);
  expect([...placed.faults, ...reregistered.faults]).toEqual([]);
  expect(reregistered.asked).toBeGreaterThan(honestPhones);
  expect(placed.asked).toBeGreaterThanOrEqual((callsPerSecond * floodMs) / 1000);
  expect(node.requests.map(({ startLine }) => startLine)).toEqual([]);
  expect(edge.control('core.psx')).toBe(processes);
  expect(await foreignRegistrations()).toEqual([]);
});
