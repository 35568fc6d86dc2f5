import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signCaller } from '../../../src/contexts/telephony/legs/caller-identity.ts';
import { answerCalls, openMediaNode, withinCall, withinCallFromPhone } from '../../harness/edge/calls.ts';
import { domain, type EdgeFixture, startEdges, type TestEdge } from '../../harness/edge/edge.ts';
import { type Credentials, openSipClient, type SipClient } from '../../harness/edge/sip-client.ts';
import {
  answerTo,
  headerOf,
  headersOf,
  methodOf,
  type SipMessage,
  statusOf,
} from '../../harness/edge/sip-message.ts';
import { until } from '../../harness/until.ts';

let fixture: EdgeFixture;
let edge: TestEdge;
let nodes: [SipClient, SipClient];
let phone: SipClient;
let extension: Credentials;

beforeAll(async () => {
  fixture = await startEdges();
  edge = await fixture.startEdge({ FLOOD_REQUESTS: 1000, BEGUN_CALLS: 1000 });
  nodes = [await openMediaNode(fixture, edge), await openMediaNode(fixture, edge)];
  extension = await fixture.addExtension('5001');
  phone = await openSipClient({ server: edge.public });
  expect(statusOf(await phone.register(extension))).toBe(200);
});
afterAll(async () => {
  await Promise.all([phone, ...(nodes ?? [])].map((client) => client?.close()));
  await fixture?.close();
});

/** Marks exactly these nodes as connected to a controller. */
async function connect(...connected: SipClient[]): Promise<void> {
  await fixture.database.query(
    `update media_nodes set connected = sip_address = any($1), last_seen_at = now() + interval '1 hour'`,
    [connected.map(({ local }) => `${local.address}:${local.port}`)],
  );
  await until(async () => {
    const taken = await call('100');
    const status = taken ? statusOf(taken.answer) : 0;
    return connected.length === 0 ? status === 503 : status === 404;
  }, 'the edge has loaded the node');
}

const probe = (request: SipMessage): boolean => request.startLine.includes('sip:100@');
const isInvite = (request: SipMessage): boolean => methodOf(request) === 'INVITE' && !probe(request);

/** Sets a node's response to calls; probes get 404. */
function onCall(node: SipClient, answer: (request: SipMessage) => void): void {
  node.requests.length = 0;
  node.onRequest((request) => {
    if (methodOf(request) === 'ACK') return;
    if (probe(request)) node.send(answerTo(request, '404 Not Found'));
    else if (isInvite(request)) answer(request);
    else node.send(answerTo(request, '200 OK'));
  });
}

const says = (node: SipClient, status: string) => (request: SipMessage) => {
  const { address, port } = node.local;
  node.send(
    answerTo(request, status, [
      ['Contact', `<sip:node@${address}:${port}>`],
      ['X-Disca-Secret', 'private'],
    ]),
  );
};

const newInvite = (called: string, more: [string, string][] = []) => {
  const { address, port } = phone.local;
  return {
    startLine: `INVITE sip:${called}@${domain} SIP/2.0`,
    headers: [
      ['From', `<sip:5001@${domain}>;tag=${randomBytes(4).toString('hex')}`],
      ['To', `<sip:${called}@${domain}>`],
      ['Call-ID', randomBytes(8).toString('hex')],
      ['Contact', `<sip:5001@${address}:${port}>`],
      ...more,
    ] as [string, string][],
  };
};

async function call(called: string, more: [string, string][] = []) {
  const invite = newInvite(called, more);
  const answer = await phone.askAs(extension, invite);
  return answer && { invite: { ...invite, body: '' }, answer };
}

test('a phone’s call reaches a node with its identity; both ends talk, even after an edge restart', async () => {
  const [node, other] = nodes;
  for (const each of nodes) onCall(each, says(each, '200 OK'));
  await connect(node);
  const before = Math.floor(Date.now() / 1000);
  const spoofed: [string, string][] = [
    ['X-Disca-Ramal', '1'],
    ['P-Asserted-Identity', '<sip:1@a>'],
  ];
  const placed = await call('5511987654321', spoofed);
  if (!placed) throw new Error('No final response.');
  const { invite, answer } = placed;
  expect(answer.startLine).toBe('SIP/2.0 200 OK');
  expect(headersOf(answer, 'X-Disca-Secret')).toEqual([]);
  const arrived = await node.waitFor(isInvite);
  expect(other.requests.filter(isInvite)).toEqual([]);
  expect(headersOf(arrived, 'X-Disca-Ramal')).toEqual(['5001']);
  expect(headersOf(arrived, 'X-Disca-Domain')).toEqual([domain]);
  expect(headersOf(arrived, 'X-Disca-Leg')).toEqual([`${edge.id}-plain`]);
  const notAfter = Number(headerOf(arrived, 'X-Disca-Not-After'));
  expect(notAfter).toBeGreaterThanOrEqual(before + 4);
  expect(notAfter).toBeLessThanOrEqual(Math.floor(Date.now() / 1000) + 4);
  const [signing] = await fixture.database.query<{ number: number; key: string }>(
    'select number, key from edge.identity_keys',
  );
  const sip = createHash('md5').update(headerOf(arrived, 'Call-ID')).digest('hex');
  const caller = { sip, ramal: '5001', domain, called: '5511987654321', notAfter };
  const [given = ''] = headersOf(arrived, 'X-Disca-Signature');
  const [number, unique = '', signature] = given.split('.');
  expect([number, signature]).toEqual([
    String(signing?.number),
    signCaller(signing?.key ?? '', caller, unique),
  ]);
  expect(unique).toMatch(/^\d+-\d+-\d+$/);
  for (const gone of ['P-Asserted-Identity', 'Proxy-Authorization', 'Authorization'])
    expect(headersOf(arrived, gone), gone).toEqual([]);

  void phone.ask(withinCall(invite, answer, 'ACK'), 1);
  await node.waitFor((request) => methodOf(request) === 'ACK');
  answerCalls(phone);
  const within = async (method: string) => {
    expect(statusOf((await phone.ask(withinCall(invite, answer, method))) ?? answer), method).toBe(200);
    const back = { ...withinCallFromPhone(arrived, answer, method) };
    expect(statusOf((await node.ask(back)) ?? answer), `${method} back`).toBe(200);
  };
  await within('INFO');
  await within('INVITE');
  expect(statusOf((await phone.ask(withinCall(invite, answer, 'REFER'))) ?? answer)).toBe(403);
  await edge.engine.restart('kill');
  await until(
    async () => (await call('100'))?.answer.startLine.includes('404'),
    'the edge accepts calls again',
  );
  await within('UPDATE');
  await within('BYE');
});

test('a silent node is skipped once for the next one, each with its own timeout', async () => {
  const [first, second] = nodes;
  for (const node of nodes) onCall(node, () => undefined);
  await connect(first, second);
  onCall(first, () => undefined);
  onCall(second, () => undefined);
  const refused = await call('5511987654321');
  expect(refused && statusOf(refused.answer)).toBe(503);
  expect(Number(refused && headerOf(refused.answer, 'Retry-After'))).toBeGreaterThan(0);
  const stamps = [first, second].map((node) =>
    Number(
      headerOf(node.requests.find(isInvite) ?? { startLine: '', headers: [], body: '' }, 'X-Disca-Not-After'),
    ),
  );
  expect(Math.abs((stamps[0] ?? 0) - (stamps[1] ?? 0))).toBeGreaterThanOrEqual(1);
});

test('a node without a controller is skipped once for the next one; any other response is final', async () => {
  const [first, second] = nodes;
  const outcome = async (one: string, other: string): Promise<number[]> => {
    onCall(first, says(first, one));
    onCall(second, says(second, other));
    const statuses: number[] = [];
    // Two rounds, so that each node is tried first once.
    for (const _turn of [1, 2]) {
      const placed = await call('5511987654321');
      statuses.push(placed ? statusOf(placed.answer) : 0);
    }
    return statuses.toSorted();
  };
  await connect(first, second);
  expect(await outcome('503 Service Unavailable', '486 Busy Here')).toEqual([486, 486]);
  expect(await outcome('503 Service Unavailable', '503 Service Unavailable')).toEqual([503, 503]);
  // Two attempts of one call within a second have different signatures, because each is accepted once.
  const signatures = nodes
    .flatMap((node) => node.requests.filter(isInvite))
    .map((invite) => headerOf(invite, 'X-Disca-Signature'));
  expect(signatures.length).toBeGreaterThan(2);
  expect(new Set(signatures).size).toBe(signatures.length);
  expect(await outcome('402 Payment Required', '500 Server Internal Error')).toEqual([402, 500]);
  expect(await outcome('302 Moved Temporarily', '302 Moved Temporarily')).toEqual([500, 500]);
});

test('a node that has responded is kept, and a phone that hangs up cancels its call there', async () => {
  const [first, second] = nodes;
  for (const node of nodes) onCall(node, says(node, '100 Trying'));
  await connect(first, second);
  for (const node of nodes) onCall(node, says(node, '180 Ringing'));
  const placed = phone.askAs(extension, newInvite('5511987654321'));
  phone.responses.length = 0;
  const arrived = await Promise.race(nodes.map((node) => node.waitFor(isInvite)));
  const ringing = first.requests.includes(arrived) ? first : second;
  const idle = ringing === first ? second : first;
  await new Promise((resolve) => setTimeout(resolve, 2_600));
  expect(idle.requests.filter(isInvite)).toEqual([]);

  const ownVia = headersOf(arrived, 'Via').at(-1) ?? '';
  const cancel: SipMessage = {
    startLine: `CANCEL sip:5511987654321@${domain} SIP/2.0`,
    headers: [
      ['Via', ownVia.replace(/;rport=\d+/, ';rport').replace(/;received=[^;]+/, '')],
      ['Max-Forwards', '70'],
      ['From', headerOf(arrived, 'From')],
      ['To', headerOf(arrived, 'To')],
      ['Call-ID', headerOf(arrived, 'Call-ID')],
      ['CSeq', headerOf(arrived, 'CSeq').replace('INVITE', 'CANCEL')],
    ],
    body: '',
  };
  phone.send(cancel);
  await ringing.waitFor((request) => methodOf(request) === 'CANCEL');
  says(ringing, '487 Request Terminated')(arrived);
  // The edge answers CANCEL itself and passes on the 487; the order in which they arrive is not defined.
  const hasReceived = (status: number, method: string): boolean =>
    phone.responses.some((response) => statusOf(response) === status && methodOf(response) === method);
  await until(() => hasReceived(200, 'CANCEL') && hasReceived(487, 'INVITE'), 'both responses arrive');
  await placed;
});

test('without an available node a phone is rejected immediately', async () => {
  await connect();
  for (const node of nodes) node.requests.length = 0;
  const refused = await call('5511987654321');
  expect(refused && statusOf(refused.answer)).toBe(503);
  expect(Number(refused && headerOf(refused.answer, 'Retry-After'))).toBeGreaterThan(0);
  // It waits for no node.
  expect(nodes.flatMap(({ requests }) => requests.filter(isInvite))).toEqual([]);
  // Nor is a draining node available, or one that was not seen for 4 s.
  for (const change of [
    `state = 'draining', connected = true`,
    `state = 'active', last_seen_at = now() - interval '5 s'`,
  ]) {
    await fixture.database.query(`update media_nodes set ${change}`);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const answered = await call('5511987654321');
    expect(answered && statusOf(answered.answer), change).toBe(503);
  }
});
