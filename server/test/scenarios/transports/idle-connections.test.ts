import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EdgeFixture, startEdges, type TestEdge } from '../../harness/edge/edge.ts';
import { openSipClient, type SipClient } from '../../harness/edge/sip-client.ts';
import { statusOf } from '../../harness/edge/sip-message.ts';
import { until } from '../../harness/until.ts';

const unregisteredSeconds = 4;
/** Long enough for a slow machine, and less than the 330 s of a registered phone. */
const closedWithinMs = 120_000;
/** Several times as long as a connection lives without a registration. */
const keptMs = 4_000 * unregisteredSeconds;
const perAddress = 10;

let fixture: EdgeFixture;
let edge: TestEdge;
const clients: SipClient[] = [];

beforeAll(async () => {
  fixture = await startEdges();
  edge = await fixture.startEdge({
    FLOOD_REQUESTS: 1_000,
    UNREGISTERED_SECONDS: unregisteredSeconds,
    MAX_TCP_CONNECTIONS_PER_ADDRESS: perAddress,
  });
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await fixture?.close();
});

type Transport = 'tcp' | 'tls' | 'wss';
const transports: Transport[] = ['tcp', 'tls', 'wss'];

async function open(transport: Transport, address: string): Promise<SipClient> {
  const server = { tcp: edge.public, tls: edge.tls, wss: edge.wss }[transport];
  const client = await openSipClient({ server, transport, local: { address } });
  clients.push(client);
  return client;
}

async function ask(client: SipClient, waitMs?: number): Promise<number> {
  const headers: [string, string][] = [
    ['From', '<sip:1000@edge>;tag=1'],
    ['To', '<sip:edge>'],
  ];
  const answer = await client.ask({ startLine: 'OPTIONS sip:edge SIP/2.0', headers }, waitMs);
  return answer ? statusOf(answer) : 0;
}

const isGoneWithin = async (client: SipClient, waitMs: number): Promise<boolean> =>
  (await Promise.race([client.gone?.then(() => true), sleep(waitMs)])) ?? false;

// Concurrently, because they mostly wait.
test.concurrent.each(transports)(
  'EXT-30 a connection over %s is closed early if no phone registers over it, and kept if one does',
  async (transport) => {
    const extension = await fixture.addExtension(`71${transports.indexOf(transport)}0`);
    const address = `127.0.9.${transports.indexOf(transport) + 1}`;
    const phone = await open(transport, address);
    expect(statusOf(await phone.register(extension))).toBe(200);
    const guesser = await open(transport, address);
    expect(statusOf(await guesser.register({ ...extension, senha: 'wrong' }))).toBe(403);
    const asker = await open(transport, address);
    expect(await ask(asker)).toBe(200);
    for (const stranger of [asker, guesser]) expect(await isGoneWithin(stranger, closedWithinMs)).toBe(true);
    expect(await isGoneWithin(phone, keptMs)).toBe(false);
    expect(await ask(phone)).toBe(200);
  },
);

/** Sends something more often than a silent connection is closed, until the connection is lost. */
async function isGoneAlthough(client: SipClient, send: () => void): Promise<boolean> {
  send();
  const timer = setInterval(send, unregisteredSeconds * 250);
  try {
    return await isGoneWithin(client, closedWithinMs);
  } finally {
    clearInterval(timer);
  }
}

const strayResponse = [
  'SIP/2.0 200 OK',
  'Via: SIP/2.0/TCP 127.0.0.1:5060;branch=z9hG4bK1',
  'From: <sip:1000@edge>;tag=1',
  'To: <sip:edge>;tag=2',
  'Call-ID: stray',
  'CSeq: 1 OPTIONS',
  'Content-Length: 0',
  '\r\n',
].join('\r\n');

const senders: [Transport, what: string, (client: SipClient) => void][] = [
  ...transports.map((transport): (typeof senders)[number] => [
    transport,
    'requests',
    (client) => void ask(client, 500),
  ]),
  ['tcp', 'keep-alives only', (client) => client.send('\r\n\r\n')],
  ['tcp', 'responses', (client) => client.send(strayResponse)],
  ['tls', 'garbage', (client) => client.send('garbage\r\n\r\n')],
];

test.concurrent.each(senders)(
  'EXT-30 a connection over %s that sends %s is closed if no phone registers over it',
  async (transport, what, send) => {
    const address = `127.0.9.${20 + senders.findIndex((each) => each[0] === transport && each[1] === what)}`;
    const client = await open(transport, address);
    expect(await isGoneAlthough(client, () => send(client))).toBe(true);
  },
);

test.concurrent.each(['tcp', 'tls'] as const)(
  'EXT-30 keep-alives do not keep a connection over %s open after a message',
  async (transport) => {
    const client = await open(transport, `127.0.9.${30 + transports.indexOf(transport)}`);
    expect(await ask(client)).toBe(200);
    expect(await isGoneAlthough(client, () => client.send('\r\n\r\n'))).toBe(true);
  },
);

test('EXT-30 an address has a limited number of connections, and others are not affected', async () => {
  const address = '127.0.9.9';
  const opened = await Promise.all(Array.from({ length: perAddress }, () => open('tcp', address)));
  expect(await Promise.all(opened.map((client) => ask(client)))).toEqual(opened.map(() => 200));
  const refused = await open('tcp', address);
  expect(await ask(refused, 5_000)).toBe(0);
  expect(await isGoneWithin(refused, closedWithinMs)).toBe(true);
  expect(await ask(await open('tcp', '127.0.9.10'))).toBe(200);
  await opened[0]?.close();
  // The edge notices after a moment that the connection is closed.
  await until(async () => (await ask(await open('tcp', address), 1_000)) === 200, 'another is accepted');
});
