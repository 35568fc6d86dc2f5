import { createSocket } from 'node:dgram';
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
} from '../../harness/edge/sip-message.ts';

let fixture: EdgeFixture;
let edge: TestEdge;
let node: SipClient;
let phone: SipClient;
let extension: Credentials;
const clients: SipClient[] = [];

beforeAll(async () => {
  fixture = await startEdges();
  edge = await fixture.startEdge({ FLOOD_REQUESTS: 1000 });
  node = await openMediaNode(fixture, edge);
  extension = await fixture.addExtension('4001');
  phone = await open();
  clients.push(node);
  expect(statusOf(await phone.register(extension))).toBe(200);
  answerCalls(phone);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await fixture.close();
});

async function open(local = {}): Promise<SipClient> {
  const client = await openSipClient({ server: edge.public, local });
  clients.push(client);
  return client;
}

const nodeUri = (): string => `sip:node@${node.local.address}:${node.local.port}`;
const edgeRoute = (parameters = ''): string =>
  `<sip:${edge.public.address}:${edge.public.port};lr${parameters}>`;
const people: [string, string][] = [
  ['From', `<sip:4001@${domain}>;tag=a`],
  ['To', `<sip:4001@${domain}>`],
];

/** Returns the messages that arrive at the media node during `happening` and shortly afterwards. */
async function arrivals(happening: () => Promise<unknown>): Promise<string[]> {
  const before = node.requests.length;
  await happening();
  await sleep(100);
  return node.requests.slice(before).map(({ startLine }) => startLine);
}

const status = (answer: SipMessage | undefined): number => (answer ? statusOf(answer) : 0);

async function call(): Promise<{ invite: SipMessage; answer: SipMessage; arrived: SipMessage }> {
  const invite = inviteTo(node, extension);
  const answer = await node.ask(invite);
  if (!answer || statusOf(answer) !== 200) throw new Error('The phone did not answer.');
  const callId = headerOf(invite, 'Call-ID');
  return {
    invite,
    answer,
    arrived: await phone.waitFor((request) => headerOf(request, 'Call-ID') === callId),
  };
}

test.for(['MESSAGE', 'SUBSCRIBE', 'PUBLISH', 'REFER', 'NOTIFY', 'INFO', 'BYE', 'UPDATE', 'FOO'])(
  'a phone’s %s is challenged and rejected, and reaches no media node',
  async (method) => {
    const outsider = await open();
    const seen = await arrivals(async () => {
      for (const target of [`sip:4001@${domain}`, 'sip:5511999990000@carrier.test', nodeUri()]) {
        const request = { startLine: `${method} ${target} SIP/2.0`, headers: people };
        expect(status(await outsider.ask(request))).toBe(407);
        expect(status(await outsider.askAs(extension, request))).toBe(403);
        const routed = {
          ...request,
          headers: [...people, ['Route', `<${nodeUri()};lr>`] satisfies [string, string]],
        };
        expect(status(await outsider.askAs(extension, routed))).toBe(403);
      }
    });
    expect(seen).toEqual([]);
  },
);

test('a phone cannot route INVITE freely, and is rejected immediately when no node is available', async () => {
  const outsider = await open();
  const seen = await arrivals(async () => {
    for (const [target, expected] of [
      ['sip:5511999990000@carrier.test', 404],
      [nodeUri(), 404],
      [`sip:s@${domain}`, 404],
      [`sip:5511999990000@${domain}`, 503],
    ] as const) {
      const request = { startLine: `INVITE ${target} SIP/2.0`, headers: people };
      expect(status(await outsider.ask(request))).toBe(407);
      const route: [string, string] = ['Route', `<${nodeUri()};lr>`];
      for (const headers of [people, [...people, route]]) {
        const answer = await outsider.askAs(extension, { ...request, headers });
        expect(status(answer), target).toBe(expected);
        if (expected === 503) expect(Number(answer && headerOf(answer, 'Retry-After'))).toBeGreaterThan(0);
      }
    }
  });
  expect(seen).toEqual([]);
});

test('no source is trusted on the public side, not even a media node’s own address and port', async () => {
  const { port } = node.local;
  const invite = inviteTo(node, extension);
  const before = phone.requests.length;
  node.send(
    {
      ...invite,
      headers: [
        ['Via', `SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bKpublic`],
        ['CSeq', '1 INVITE'],
        ['Max-Forwards', '9'],
        ...invite.headers,
      ],
    },
    edge.public,
  );
  await sleep(200);
  expect(phone.requests).toHaveLength(before);
});

test('the private side ignores unknown addresses and removed nodes', async () => {
  const outsider = await openSipClient({ server: edge.private });
  clients.push(outsider);
  const before = phone.requests.length;
  expect(await outsider.ask(inviteTo(outsider, extension), 300)).toBeUndefined();
  expect(phone.requests).toHaveLength(before);

  const passing = await openMediaNode(fixture, edge);
  clients.push(passing);
  expect(status(await passing.ask(inviteTo(passing, extension)))).toBe(200);
  await fixture.database.query('delete from media_nodes where sip_address like $1', [
    `%:${passing.local.port}`,
  ]);
  await expect.poll(() => passing.ask(inviteTo(passing, extension), 300)).toBeUndefined();
});

test('rejects an in-dialog request that no edge created, however it looks', async () => {
  const { answer, arrived } = await call();
  const outsider = await open();
  const own = withinCallFromPhone(arrived, answer, 'BYE');
  const without = (name: string): [string, string][] => own.headers.filter(([header]) => header !== name);
  const token = /;d=([\w-]+)/.exec(headerOf(arrived, 'Record-Route'))?.[1] ?? '';
  expect(token).toHaveLength(32);
  const forgeries: [string, string][][] = [
    without('Route'),
    [...without('Route'), ['Route', edgeRoute()]],
    [...without('Route'), ['Route', `<${nodeUri()};lr>`]],
    [...without('Route'), ['Route', edgeRoute(`;d=${'A'.repeat(32)}`)]],
    [...without('Route'), ['Route', edgeRoute(';d=')]],
    [...without('Route'), ['Route', edgeRoute(`;d=${token.slice(0, 31)}`)]],
    [...without('Call-ID'), ['Call-ID', 'another-call']],
    [...without('To'), ['To', `<sip:x@${domain}>;tag=another`]],
    [...without('Route'), ['Route', `<sip:x@evil.test;lr;d=${'B'.repeat(32)}>`]],
  ];
  const seen = await arrivals(async () => {
    for (const headers of forgeries) {
      for (const method of ['BYE', 'INVITE', 'INFO', 'REFER', 'UPDATE']) {
        const request = {
          startLine: own.startLine.replace('BYE', method),
          headers: changeMethod(headers, method),
        };
        expect(status(await outsider.ask(request)), JSON.stringify(headers)).toBe(481);
      }
      void outsider.ask(
        { startLine: own.startLine.replace('BYE', 'ACK'), headers: changeMethod(headers, 'ACK') },
        1,
      );
    }
  });
  expect(seen).toEqual([]);
});

const changeMethod = (headers: [string, string][], method: string): [string, string][] =>
  headers.map(([name, value]) => [name, name === 'CSeq' ? `41 ${method}` : value]);

test('a phone within its own dialog reaches only its media node', async () => {
  const { answer, arrived } = await call();
  const own = withinCallFromPhone(arrived, answer, 'BYE');
  const targets = [
    'sip:x@127.0.0.1:9',
    'sip:x@evil.test',
    `sip:x@${edge.private.address}:${edge.private.port}`,
    `sip:x@localhost:${node.local.port}`,
    `sip:x@127.0.0.1:${node.local.port + 1}`,
    `sip:x@127.0.0.1:9;alias=127.0.0.1~${node.local.port}~1`,
    `${nodeUri()};maddr=127.0.0.9`,
    `${nodeUri()};transport=tcp`,
  ];
  const seen = await arrivals(async () => {
    for (const target of targets)
      expect(status(await phone.ask({ ...own, startLine: `BYE ${target} SIP/2.0` })), target).toBe(403);
    const detour: [string, string][] = [...own.headers, ['Route', '<sip:127.0.0.1:9;lr>']];
    expect(status(await phone.ask({ ...own, headers: detour }))).toBe(403);
    const transfer = {
      startLine: own.startLine.replace('BYE', 'REFER'),
      headers: changeMethod(own.headers, 'REFER'),
    };
    expect(status(await phone.ask(transfer))).toBe(403);
  });
  expect(seen).toEqual([]);
});

test('removes our own headers from a phone’s requests and responses', async () => {
  answerCalls(phone, '200 OK', [
    ['X-Disca-Call-Id', 'forged'],
    ['x-disca-funded', '999'],
  ]);
  const { answer, arrived } = await call();
  answerCalls(phone);
  expect(answer.headers.filter(([name]) => /^x-disca/i.test(name))).toEqual([]);

  answerCalls(node);
  const info = withinCallFromPhone(arrived, answer, 'INFO');
  const forged: [string, string][] = [
    ...info.headers,
    ['X-Disca-Call-Id', 'forged'],
    ['X-DISCA-Not-After', '1'],
  ];
  expect(status(await phone.ask({ ...info, headers: forged }))).toBe(200);
  const heard = await node.waitFor(
    (request) => headerOf(request, 'Call-ID') === headerOf(arrived, 'Call-ID'),
  );
  // Only the edge's own header is left; it marks the request as not being a new call.
  expect(heard.headers.filter(([name]) => /^x-disca/i.test(name))).toEqual([['X-Disca-Ramal', '-']]);
});

test('does not forward an unexpected response', async () => {
  const { arrived } = await call();
  const heard: string[] = [];
  const listening = createSocket('udp4').on('message', (bytes) => heard.push(bytes.toString('latin1')));
  await new Promise<void>((resolve) => listening.bind(0, '127.0.0.1', resolve));
  const outsider = await open();
  const edgeVia = `SIP/2.0/UDP ${edge.public.address}:${edge.public.port};branch=z9hG4bKnone`;
  for (const { address, port } of [listening.address(), node.local]) {
    const forged = answerTo(arrived, '200 OK');
    outsider.send({
      ...forged,
      headers: [
        ['Via', edgeVia],
        ['Via', `SIP/2.0/UDP ${address}:${port};branch=z9hG4bKx`],
        ...forged.headers.filter(([name]) => name !== 'Via'),
      ],
    });
  }
  await sleep(300);
  listening.close();
  expect(heard).toEqual([]);
});

test('responses go to the source address of the request, not to its Via', async () => {
  const heard: string[] = [];
  const listening = createSocket('udp4').on('message', (bytes) => heard.push(bytes.toString('latin1')));
  await new Promise<void>((resolve) => listening.bind(0, '127.0.0.7', resolve));
  const outsider = await open();
  const { port } = listening.address();
  for (const sentBy of [
    `127.0.0.7:${port}`,
    `127.0.0.1:${port};maddr=127.0.0.7`,
    `127.0.0.1:${port};received=127.0.0.7;rport=${port}`,
  ]) {
    const via: [string, string] = ['Via', `SIP/2.0/UDP ${sentBy};branch=z9hG4bK${heard.length}x`];
    const headers: [string, string][] = [
      via,
      ['CSeq', '1 OPTIONS'],
      ['Call-ID', 'x'],
      ['Max-Forwards', '9'],
      ...people,
    ];
    outsider.send({ startLine: `OPTIONS sip:${domain} SIP/2.0`, headers, body: '' });
  }
  await sleep(300);
  listening.close();
  expect(heard).toEqual([]);
});

test('a phone cannot redirect a call elsewhere', async () => {
  answerCalls(phone, '302 Moved', [['Contact', '<sip:5511999990000@carrier.test>']]);
  const answer = await node.ask(inviteTo(node, extension));
  answerCalls(phone);
  expect(answer?.startLine).toBe('SIP/2.0 480 Redirection Refused');
  expect(headersOf(answer ?? { startLine: '', headers: [], body: '' }, 'Contact')).toEqual([]);
});

test('a phone cannot direct the edge to others by the Contact in its response', async () => {
  const other = await openMediaNode(fixture, edge);
  clients.push(other);
  const target = `${other.local.address}~${other.local.port}~1`;
  answerCalls(phone, '200 OK', [
    ['Contact', `<sip:phone@${other.local.address}:${other.local.port};alias=${target}>`],
  ]);
  const { invite, answer } = await call();
  answerCalls(phone);
  const seen = other.requests.length;
  expect(status(await node.ask(withinCall(invite, answer, 'BYE')))).toBe(200);
  await phone.waitFor((request) => methodOf(request) === 'BYE');
  expect(other.requests).toHaveLength(seen);
});

test('a call that arrives too late does not ring', async () => {
  const rings = phone.requests.length;
  const late = inviteTo(node, extension, [['X-Disca-Not-After', String(Math.floor(Date.now() / 1000) - 1)]]);
  expect(status(await node.ask(late))).toBe(408);
  expect(phone.requests).toHaveLength(rings);
});

test('a CANCEL without a call is rejected', async () => {
  const cancel = { startLine: `CANCEL ${nodeUri()} SIP/2.0`, headers: people };
  expect(await arrivals(async () => expect(status(await phone.ask(cancel))).toBe(481))).toEqual([]);
});
