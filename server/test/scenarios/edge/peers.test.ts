import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  answerCalls,
  countRings,
  inviteTo,
  openMediaNode,
  withinCall,
  withinCallFromPhone,
} from '../../harness/edge/calls.ts';
import { type EdgeFixture, startEdges, type TestEdge } from '../../harness/edge/edge.ts';
import { answerChallenge, openSipClient, type SipClient } from '../../harness/edge/sip-client.ts';
import { headerOf, headersOf, methodOf, type SipMessage, statusOf } from '../../harness/edge/sip-message.ts';

let fixture: EdgeFixture;
let first: TestEdge;
let second: TestEdge;
let node: SipClient;
const clients: SipClient[] = [];

beforeAll(async () => {
  fixture = await startEdges();
  first = await fixture.startEdge();
  second = await fixture.startEdge();
  node = await openMediaNode(fixture, first);
  clients.push(node);
  await vi.waitFor(
    () => {
      for (const edge of [first, second]) {
        const dispatchers = edge.control('dispatcher.list');
        for (const { port } of [first.private, second.private, node.local])
          expect(dispatchers).toContain(`:${port}`);
      }
    },
    { timeout: 120_000, interval: 250 },
  );
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await fixture.close();
});

async function phoneAt(edge: TestEdge): Promise<SipClient> {
  const client = await openSipClient({ server: edge.public });
  clients.push(client);
  return client;
}

const status = (answer: SipMessage | undefined): number => (answer ? statusOf(answer) : 0);

test('a call to a phone of another edge passes through both, even after both were restarted', async () => {
  const extension = await fixture.addExtension('6001');
  const phone = await phoneAt(second);
  expect(statusOf(await phone.register(extension))).toBe(200);
  answerCalls(phone);
  answerCalls(node);
  const invite = inviteTo(node, extension, [['X-Disca-Call-Id', 'c0ffee']]);
  const answer = await node.ask(invite);
  if (!answer) throw new Error('The phone did not answer.');
  expect(answer.startLine).toBe('SIP/2.0 200 OK');
  const arrived = await phone.waitFor((request) => methodOf(request) === 'INVITE');
  expect(headerOf(arrived, 'X-Disca-Call-Id')).toBe('c0ffee');
  expect(headersOf(arrived, 'Record-Route').join()).toContain(`:${first.private.port}`);

  void node.ask(withinCall(invite, answer, 'ACK'), 1);
  await phone.waitFor((request) => methodOf(request) === 'ACK');
  await first.engine.restart('kill');
  await second.engine.restart('kill');
  expect(status(await node.ask(withinCall(invite, answer, 'INFO')))).toBe(200);
  await phone.waitFor((request) => methodOf(request) === 'INFO');
  expect(status(await phone.ask(withinCallFromPhone(arrived, answer, 'BYE')))).toBe(200);
  await node.waitFor((request) => methodOf(request) === 'BYE');
});

test('EXT-08 a registration at one edge replaces one at another', async () => {
  const extension = await fixture.addExtension('6002');
  const old = await phoneAt(first);
  const current = await phoneAt(second);
  expect(statusOf(await old.register(extension))).toBe(200);
  expect(statusOf(await current.register(extension))).toBe(200);
  expect(statusOf(await old.register(extension))).toBe(403);
  answerCalls(old);
  answerCalls(current);
  expect(status(await node.ask(inviteTo(node, extension)))).toBe(200);
  expect([countRings(old), countRings(current)]).toEqual([0, 1]);
});

test('a challenge of one edge can be answered at another', async () => {
  const extension = await fixture.addExtension('6003');
  const phone = await phoneAt(first);
  const startLine = `REGISTER sip:${extension.domain} SIP/2.0`;
  const headers: [string, string][] = [
    ['From', `<sip:6003@${extension.domain}>;tag=a`],
    ['To', `<sip:6003@${extension.domain}>`],
    ['Contact', '<sip:x@127.0.0.1:9>'],
    ['Call-ID', phone.callId],
  ];
  const challenge = await phone.ask({ startLine, headers });
  if (!challenge) throw new Error('There is no challenge.');
  const elsewhere = await phoneAt(second);
  const credentials = answerChallenge(extension, startLine, challenge);
  expect(status(await elsewhere.ask({ startLine, headers: [...headers, credentials] }))).toBe(200);
});

test('a phone whose edge is down is unreachable, and the caller gets an error', async () => {
  const extension = await fixture.addExtension('6004');
  const phone = await phoneAt(second);
  expect(statusOf(await phone.register(extension))).toBe(200);
  await second.engine.stop('kill');
  const answer = await node.ask(inviteTo(node, extension), 60_000);
  expect([408, 480]).toContain(status(answer));
});
