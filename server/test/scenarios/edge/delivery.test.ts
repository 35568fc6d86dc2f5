import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  answerCalls,
  inviteTo,
  openMediaNode,
  withinCall,
  withinCallFromPhone,
} from '../../harness/edge/calls.ts';
import { type EdgeFixture, startEdges, type TestEdge } from '../../harness/edge/edge.ts';
import { type Credentials, openSipClient, type SipClient } from '../../harness/edge/sip-client.ts';
import {
  answerTo,
  headerOf,
  headersOf,
  methodOf,
  type SipMessage,
  statusOf,
} from '../../harness/edge/sip-message.ts';

let fixture: EdgeFixture;
let edge: TestEdge;
let node: SipClient;
const clients: SipClient[] = [];
let numbers = 2000;

beforeAll(async () => {
  fixture = await startEdges();
  edge = await fixture.startEdge();
  node = await openMediaNode(fixture, edge);
  clients.push(node);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await fixture.close();
});

async function registered(
  transport: 'udp' | 'tcp' = 'udp',
): Promise<{ phone: SipClient; extension: Credentials }> {
  numbers += 1;
  const extension = await fixture.addExtension(String(numbers));
  const phone = await openSipClient({ server: edge.public, transport });
  clients.push(phone);
  expect(statusOf(await phone.register(extension))).toBe(200);
  return { phone, extension };
}

test.for(['udp', 'tcp'] as const)(
  'a call reaches the phone over %s, and both ends can send requests in the dialog',
  async (transport) => {
    const { phone, extension } = await registered(transport);
    answerCalls(phone);
    const invite = inviteTo(node, extension, [
      ['X-Disca-Call-Id', 'c0ffee'],
      ['X-Disca-Not-After', String(Math.floor(Date.now() / 1000) + 60)],
      ['X-Disca-Other', 'private'],
    ]);
    const answer = await node.ask(invite);
    expect(answer?.startLine).toBe('SIP/2.0 200 OK');
    const arrived = await phone.waitFor((request) => methodOf(request) === 'INVITE');
    expect(headerOf(arrived, 'X-Disca-Call-Id')).toBe('c0ffee');
    expect(arrived.headers.map(([name]) => name).filter((name) => name.startsWith('X-Disca'))).toHaveLength(
      1,
    );

    if (!answer) throw new Error('No final response.');
    void node.ask(withinCall(invite, answer, 'ACK'), 1);
    await phone.waitFor((request) => methodOf(request) === 'ACK');
    expect(statusOf((await node.ask(withinCall(invite, answer, 'INFO'))) ?? answer)).toBe(200);
    expect(headersOf(await phone.waitFor((request) => methodOf(request) === 'INFO'), 'Route')).toEqual([]);

    answerCalls(node);
    const bye = await phone.ask(withinCallFromPhone(arrived, answer, 'BYE'));
    expect(bye?.startLine).toBe('SIP/2.0 200 OK');
  },
);

test.for(['486 Busy Here', '603 Decline', '480 Temporarily Unavailable', '500 Server Internal Error'])(
  'the caller gets the phone’s response %s',
  async (status) => {
    const { phone, extension } = await registered();
    answerCalls(phone, status);
    expect((await node.ask(inviteTo(node, extension)))?.startLine).toBe(`SIP/2.0 ${status}`);
  },
);

test('auto-answer headers reach the phone', async () => {
  const { phone, extension } = await registered();
  answerCalls(phone);
  const asking: [string, string][] = [
    ['Alert-Info', 'info=alert-autoanswer;delay=0'],
    ['Call-Info', 'answer-after=0'],
  ];
  await node.ask(inviteTo(node, extension, asking));
  const arrived = await phone.waitFor((request) => methodOf(request) === 'INVITE');
  expect(asking.map(([name]) => headerOf(arrived, name))).toEqual(asking.map(([, value]) => value));
});

test('a caller that hangs up stops the ringing', async () => {
  const { phone, extension } = await registered();
  let ringing: SipMessage | undefined;
  phone.onRequest((request) => {
    const method = methodOf(request);
    if (method === 'INVITE') {
      ringing = request;
      phone.send(answerTo(request, '180 Ringing'));
    }
    if (method === 'CANCEL') {
      phone.send(answerTo(request, '200 OK'));
      if (ringing) phone.send(answerTo(ringing, '487 Request Terminated'));
    }
  });
  const via: [string, string] = ['Via', `SIP/2.0/UDP 127.0.0.1:${node.local.port};branch=z9hG4bKgivesup`];
  const invite = inviteTo(node, extension);
  const own: [string, string][] = [via, ['Max-Forwards', '70'], ...invite.headers];
  node.send({ ...invite, headers: [...own, ['CSeq', '1 INVITE']] });
  await phone.waitFor((request) => methodOf(request) === 'INVITE');
  node.send({
    startLine: invite.startLine.replace('INVITE', 'CANCEL'),
    headers: [...own, ['CSeq', '1 CANCEL']],
    body: '',
  });
  await phone.waitFor((request) => methodOf(request) === 'CANCEL');
  await phone.waitFor((request) => methodOf(request) === 'ACK');
});

test('a phone that does not respond times out after eight seconds', async () => {
  const { extension } = await registered();
  const startedAt = performance.now();
  expect((await node.ask(inviteTo(node, extension), 60_000))?.startLine).toMatch(/^SIP\/2\.0 408 /);
  expect(performance.now() - startedAt).toBeGreaterThan(7_000);
});

test('an extension that never registered, or does not exist, cannot be called', async () => {
  const { extension } = await registered();
  await fixture.addExtension('2999');
  for (const ramal of ['2999', '2998']) {
    expect((await node.ask(inviteTo(node, { ...extension, ramal })))?.startLine).toBe(
      'SIP/2.0 480 Not Registered',
    );
  }
});
