import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerCalls, inviteTo, openMediaNode } from '../../harness/edge/calls.ts';
import {
  domain,
  type EdgeFixture,
  readPresence,
  startEdges,
  type TestEdge,
} from '../../harness/edge/edge.ts';
import {
  answerChallenge,
  type Credentials,
  openSipClient,
  type SipClient,
} from '../../harness/edge/sip-client.ts';
import { statusOf } from '../../harness/edge/sip-message.ts';
import { openTcp, openUdp } from '../../harness/edge/sip-transport.ts';
import { malformedMessages } from './malformed.ts';

let fixture: EdgeFixture;
let edge: TestEdge;
let node: SipClient;
let phone: SipClient;
let extension: Credentials;

beforeAll(async () => {
  fixture = await startEdges();
  edge = await fixture.startEdge({ FLOOD_REQUESTS: 100_000 });
  node = await openMediaNode(fixture, edge);
  extension = await fixture.addExtension('1001');
  phone = await openSipClient({ server: edge.public, local: { address: '127.0.0.2' } });
  expect(statusOf(await phone.register(extension))).toBe(200);
  answerCalls(phone);
});
afterAll(async () => {
  await Promise.all([phone.close(), node.close()]);
  await fixture.close();
});

const workers = (): string =>
  edge
    .control('core.psx')
    .match(/PID: \d+/g)
    ?.join() ?? edge.control('core.ps');

/**
 * Expects that no message reached the node, crashed a process or changed a row, and that phones can still register and
 * ring.
 */
async function expectUnharmed(before: string): Promise<void> {
  await sleep(200);
  expect(workers()).toBe(before);
  expect(node.requests.map(({ startLine }) => startLine)).toEqual([]);
  expect(await fixture.database.query('select username from edge.location')).toEqual([{ username: '1001' }]);
  expect(await readPresence(fixture.database, extension)).toMatchObject({
    isRegistered: true,
    callId: phone.callId,
  });
  expect(statusOf(await phone.register(extension))).toBe(200);
  const answer = await node.ask(inviteTo(node, extension));
  expect(answer && statusOf(answer)).toBe(200);
}

test('the corpus has at least 100 malformed messages', () => {
  expect(malformedMessages(node.local).length).toBeGreaterThanOrEqual(100);
});

test('malformed datagrams leave the edge running and reach no media node', async () => {
  const before = workers();
  const transport = await openUdp(edge.public, { address: '127.0.6.1' }, () => undefined);
  for (const { bytes } of malformedMessages(node.local)) transport.send(bytes);
  await expectUnharmed(before);
  await transport.close();
});

test('malformed streams leave the edge running and reach no media node', async () => {
  const before = workers();
  for (const { bytes } of malformedMessages(node.local)) {
    const transport = await openTcp(edge.public, { address: '127.0.6.2' }, () => undefined);
    transport.send(bytes);
    setTimeout(() => void transport.close(), 1_000);
  }
  await sleep(1_500);
  await expectUnharmed(before);
});

test('noise, and messages truncated or changed at random, leave the edge running', async () => {
  const before = workers();
  const transport = await openUdp(edge.public, { address: '127.0.6.3' }, () => undefined);
  const corpus = malformedMessages(node.local);
  let seed = 20_260_101;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed % below;
  };
  for (let round = 0; round < 3_000; round += 1) {
    const bytes = Buffer.from(corpus[next(corpus.length)]?.bytes ?? randomBytes(1));
    for (let changes = next(8); changes > 0; changes -= 1) bytes[next(bytes.length)] = next(256);
    transport.send(bytes.subarray(0, next(4) === 0 ? next(bytes.length) + 1 : bytes.length));
    if (round % 100 === 0) await sleep(10);
  }
  await expectUnharmed(before);
  await transport.close();
});

test('hostile text in an authenticated registration changes only its own row', async () => {
  const other = await fixture.addExtension('1002');
  const client = await openSipClient({
    server: edge.public,
    userAgent: `'; DROP TABLE location; -- \xff\xfe "\\`,
  });
  const callId = `'||(SELECT/**/ha1/**/FROM/**/subscriber)||'`;
  const contact = `<sip:1002';DELETE@127.0.0.1:9;x=%00>;+sip.instance="<urn:'uuid>"`;
  expect(statusOf(await client.register({ ...other, callId, contact }))).toBe(200);
  const [row] = await fixture.database.query<{ callid: string }>(
    `select callid from edge.location where username = '1002'`,
  );
  expect(row?.callid).toBe(callId);
  expect(await readPresence(fixture.database, other)).toMatchObject({ isRegistered: true, callId });
  expect(statusOf(await client.register({ ...other, callId, contact, expiresSeconds: 0 }))).toBe(200);
  await client.close();
});

test('credentials of one extension do not work for another', async () => {
  const own = await fixture.addExtension('1003');
  const client = await openSipClient({ server: edge.public, local: { address: '127.0.6.4' } });
  const startLine = `REGISTER sip:${domain} SIP/2.0`;
  const headers: [string, string][] = [
    ['From', `<sip:1001@${domain}>;tag=a`],
    ['To', `<sip:1001@${domain}>`],
    ['Contact', '<sip:x@127.0.0.1:9>'],
  ];
  const challenge = await client.ask({ startLine, headers });
  if (!challenge) throw new Error('There is no challenge.');
  const credentials = answerChallenge(own, startLine, challenge);
  const answer = await client.ask({ startLine, headers: [...headers, credentials] });
  expect(answer?.startLine).toBe('SIP/2.0 403 Forbidden');
  await client.close();
});
