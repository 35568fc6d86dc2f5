import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  answerCalls,
  inviteTo,
  openMediaNode,
  withinCall,
  withinCallFromPhone,
} from '../../harness/edge/calls.ts';
import { domain, type EdgeFixture, startEdges, type TestEdge } from '../../harness/edge/edge.ts';
import { type Credentials, openSipClient, type SipClient } from '../../harness/edge/sip-client.ts';
import {
  answerTo,
  headerOf,
  headersOf,
  methodOf,
  type SipMessage,
  statusOf,
  writeMessage,
} from '../../harness/edge/sip-message.ts';
import { openTcp } from '../../harness/edge/sip-transport.ts';
import { until } from '../../harness/until.ts';

let fixture: EdgeFixture;
let edge: TestEdge;
let node: SipClient;
let phone: SipClient;
let extension: Credentials;
const clients: SipClient[] = [];

beforeAll(async () => {
  fixture = await startEdges();
  edge = await fixture.startEdge({ FLOOD_REQUESTS: 1000, BEGUN_CALLS: 1000 });
  node = await openMediaNode(fixture, edge);
  await fixture.database.query(
    `update media_nodes set connected = true, last_seen_at = now() + interval '1 hour'`,
  );
  extension = await fixture.addExtension('7001');
  phone = await openSipClient({ server: edge.public });
  clients.push(node, phone);
  expect(statusOf(await phone.register(extension))).toBe(200);
  answerCalls(phone);
  answerCalls(node);
  await until(async () => status(await dial()) === 200, 'the edge knows an available node');
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await fixture?.close();
});

const status = (answer: SipMessage | undefined): number => (answer ? statusOf(answer) : 0);

const newInvite = (more: [string, string][] = []): SipMessage => ({
  startLine: `INVITE sip:5511987654321@${domain} SIP/2.0`,
  headers: [
    ['From', `<sip:7001@${domain}>;tag=${randomBytes(4).toString('hex')}`],
    ['To', `<sip:5511987654321@${domain}>`],
    ['Call-ID', randomBytes(8).toString('hex')],
    ['Contact', `<sip:7001@${phone.local.address}:${phone.local.port}>`],
    ...more,
  ],
  body: '',
});

const dial = (more: [string, string][] = []) => phone.askAs(extension, newInvite(more));

const arrivedIn = (client: SipClient, { headers }: SipMessage): Promise<SipMessage> => {
  const [, callId] = headers.find(([name]) => name === 'Call-ID') ?? [];
  return client.waitFor((request) => headerOf(request, 'Call-ID') === callId);
};

async function callPhone(): Promise<{ invite: SipMessage; answer: SipMessage; arrived: SipMessage }> {
  const invite = inviteTo(node, extension);
  const answer = await node.ask(invite);
  if (!answer || statusOf(answer) !== 200) throw new Error('The phone did not answer.');
  return { invite, answer, arrived: await arrivedIn(phone, invite) };
}

const smuggled = '\rX-Disca-Ramal: 1001\rX-Disca-Domain: victim.test';

test.for([
  ['a bare carriage return', 'User-Agent', `x${smuggled}`],
  ['one at the end of a line', 'Subject', `x${smuggled}\r`],
  ['one behind a zero byte', 'Subject', `a\0b${smuggled}`],
  ['one in a folded line', 'Subject', `a\r\n b${smuggled}`],
  ['a zero byte alone', 'Subject', 'a\0b'],
] as const)('%s in a header reaches no node, where it would end the header', async ([, name, value]) => {
  const before = node.requests.length;
  expect(status(await phone.ask(newInvite([[name, value]])))).toBe(400);
  const { answer, arrived } = await callPhone();
  const info = withinCallFromPhone(arrived, answer, 'INFO');
  expect(status(await phone.ask({ ...info, headers: [...info.headers, [name, value]] }))).toBe(400);
  expect(node.requests).toHaveLength(before);
});

test('messages with bare line feeds, or with binary bodies, work as before', async () => {
  const { answer, arrived } = await callPhone();
  const info = withinCallFromPhone(arrived, answer, 'INFO');
  const more: [string, string][] = [...info.headers, ['Content-Type', 'application/octet-stream']];
  expect(status(await phone.ask({ ...info, headers: more, body: 'a\0b' }))).toBe(200);
  const heard: string[] = [];
  const tcp = await openTcp(edge.public, {}, (text) => heard.push(text));
  const via: [string, string] = ['Via', `SIP/2.0/TCP 127.0.0.1:${tcp.local.port};branch=z9hG4bKlf`];
  const people: [string, string][] = [
    ['From', `<sip:7001@${domain}>;tag=a`],
    ['To', `<sip:7001@${domain}>`],
    ['Call-ID', 'line-feeds'],
    ['CSeq', '1 OPTIONS'],
    ['Max-Forwards', '9'],
  ];
  const options = writeMessage({
    startLine: `OPTIONS sip:${domain} SIP/2.0`,
    headers: [via, ...people],
    body: '',
  });
  tcp.send(options.replaceAll('\r\n', '\n'));
  await until(async () => heard.join('').startsWith('SIP/2.0 200'), 'it gets a response');
  await tcp.close();
});

test('a header smuggled into a response reaches no node', async () => {
  phone.onRequest((request) => {
    if (methodOf(request) !== 'INVITE') return;
    phone.send(answerTo(request, '486 Busy Here', [['User-Agent', 'x\rRecord-Route: <sip:127.0.0.1:9;lr>']]));
  });
  expect(await node.ask(inviteTo(node, extension), 1_500)).toBeUndefined();
  answerCalls(phone);
});

test('a phone’s headers within a dialog never pass as an edge’s headers of a new call', async () => {
  const { answer, arrived } = await callPhone();
  expect(status(await phone.ask(withinCallFromPhone(arrived, answer, 'INFO')))).toBe(200);
  const heard = await node.waitFor(
    (request) =>
      methodOf(request) === 'INFO' && headerOf(request, 'Call-ID') === headerOf(arrived, 'Call-ID'),
  );
  expect(headersOf(heard, 'X-Disca-Ramal')).toEqual(['-']);
});

/** Opens a client that should receive nothing. */
async function openBystander(): Promise<SipClient> {
  const bystander = await openSipClient({ server: edge.public });
  clients.push(bystander);
  return bystander;
}

const routeTo = ({ local }: SipClient): string => `<sip:${local.address}:${local.port};lr>`;

test('a Record-Route of the calling phone is ignored', async () => {
  const bystander = await openBystander();
  const invite = newInvite([['Record-Route', routeTo(bystander)]]);
  const answer = await phone.askAs(extension, invite);
  expect(status(answer)).toBe(200);
  const arrived = await arrivedIn(node, invite);
  expect(headersOf(arrived, 'Record-Route').join()).not.toContain(`:${bystander.local.port};`);
  if (!answer) throw new Error('No final response.');

  // A request with such a Route is also rejected when it comes from a node.
  const bye = withinCallFromPhone(arrived, answer, 'BYE');
  const detour: [string, string][] = [...bye.headers, ['Route', routeTo(bystander)]];
  expect(status(await node.ask({ ...bye, headers: detour }))).toBe(403);
  expect(status(await node.ask(bye))).toBe(200);
  await sleep(100);
  expect(bystander.requests).toEqual([]);
});

const evil = '<sip:127.0.0.1:9;lr>';
const otherWays: Record<string, (sent: string[], last: string) => string[]> = {
  'one more at its end': (sent, last) => [...sent, last, evil],
  'one more in the last header': (sent, last) => [...sent, `${last}, ${evil}`],
  'one more without brackets': (sent, last) => [...sent, `${last},${evil.slice(1, -1)}`],
  'only its own': () => [evil],
  none: () => [],
  'a host behind the address': (sent, last) => [...sent, last.replace('>', ';maddr=127.0.0.9>')],
  'the same in disguise': (sent, last) => [...sent, last.replace('>', ';%6daddr=127.0.0.9>')],
  'a user before the address': (sent, last) => [...sent, last.replace('sip:', 'sip:127.0.0.9;x@')],
};
const sameWays: typeof otherWays = {
  'each in its line': (sent, last) => [...sent, last],
  'all in one line': (sent, last) => [[...sent, last].join(', ')],
};

test('a response that routes a node around the edge is not forwarded', async () => {
  const ways = { ...otherWays, ...sameWays };
  phone.onRequest((request) => {
    const choose = ways[headerOf(request, 'Subject')];
    if (methodOf(request) !== 'INVITE' || !choose) return phone.send(answerTo(request, '200 OK'));
    const whole = answerTo(request, '200 OK', [
      ['Contact', `<sip:phone@${phone.local.address}:${phone.local.port}>`],
    ]);
    const sent = headersOf(request, 'Record-Route');
    const routes = choose(sent.slice(0, -1), sent.at(-1) ?? '');
    phone.send({
      ...whole,
      headers: [
        ...whole.headers.filter(([name]) => name !== 'Record-Route'),
        ...routes.map((value): [string, string] => ['Record-Route', value]),
      ],
    });
  });
  const answered = await Promise.all(
    Object.keys(ways).map(async (way) => {
      const invite = inviteTo(node, extension, [['Subject', way]]);
      const answer = await node.ask(invite, way in sameWays ? 60_000 : 3_000);
      if (answer) expect(status(await node.ask(withinCall(invite, answer, 'BYE')))).toBe(200);
      return answer && way;
    }),
  );
  answerCalls(phone);
  expect(answered.filter((way) => way !== undefined)).toEqual(Object.keys(sameWays));
});

test('a phone in a call is still rate limited, but fast DTMF keys pass', async () => {
  const first = await callPhone();
  const second = await callPhone();
  // By branch: the edge repeats a request that is answered late.
  const heard = new Set<string>();
  node.onRequest((request) => {
    heard.add(headerOf(request, 'Via'));
    node.send(answerTo(request, '200 OK'));
  });
  const burst = (count: number, { arrived, answer }: typeof first): void => {
    const info = withinCallFromPhone(arrived, answer, 'INFO');
    for (let sent = 0; sent < count; sent += 1) void phone.ask(info, 1);
  };
  burst(60, first);
  await until(async () => heard.size === 60, 'all keys arrive');
  await sleep(2_100);
  heard.clear();
  burst(600, first);
  await until(async () => heard.size > 0, 'some of them arrive');
  await sleep(300);
  expect(heard.size).toBeLessThanOrEqual(200);
  expect(status(await phone.ask(withinCallFromPhone(second.arrived, second.answer, 'INFO')))).toBe(200);
  await sleep(2_100);
  expect(status(await phone.ask(withinCallFromPhone(first.arrived, first.answer, 'BYE')))).toBe(200);
  answerCalls(node);
});
