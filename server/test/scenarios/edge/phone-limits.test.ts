import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { domain, type EdgeFixture, startEdges, type TestEdge } from '../../harness/edge/edge.ts';
import {
  answerChallenge,
  type Credentials,
  openSipClient,
  type SipClient,
} from '../../harness/edge/sip-client.ts';
import { type SipMessage, statusOf, writeMessage } from '../../harness/edge/sip-message.ts';
import { runOperator } from '../../harness/operator-cli.ts';
import { until } from '../../harness/until.ts';

/** Requests in two seconds. */
const most = 20;
const windowMs = 2_000;

let fixture: EdgeFixture;
let edge: TestEdge;
const clients: SipClient[] = [];
let lastOctet = 10;

beforeAll(async () => {
  fixture = await startEdges();
  edge = await fixture.startEdge({ FLOOD_REQUESTS: most });
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await fixture.close();
});

/** Opens a phone at a loopback address that no other test has used. */
async function phone(server = edge, address = newAddress()): Promise<SipClient> {
  const client = await openSipClient({ server: server.public, local: { address } });
  clients.push(client);
  return client;
}

function newAddress(): string {
  lastOctet += 1;
  return `127.0.2.${lastOctet}`;
}

const status = async (client: SipClient, who: Credentials): Promise<number> =>
  statusOf(await client.register(who));

interface Challenged {
  startLine: string;
  headers: [string, string][];
  challenge: SipMessage;
}

async function challenged(client: SipClient, who: Credentials): Promise<Challenged> {
  const startLine = `REGISTER sip:${domain} SIP/2.0`;
  const headers: [string, string][] = [
    ['From', `<sip:${who.ramal}@${domain}>;tag=a`],
    ['To', `<sip:${who.ramal}@${domain}>`],
    ['Call-ID', client.callId],
    ['Contact', `<sip:${who.ramal}@${client.local.address}:${client.local.port}>`],
    ['Expires', '120'],
  ];
  const challenge = await client.ask({ startLine, headers });
  if (!challenge) throw new Error('There is no challenge.');
  return { startLine, headers, challenge };
}

/** Returns a registration as text, with the given use of the nonce. */
function registration(client: SipClient, who: Credentials, asked: Challenged, uses: number): string {
  const { address, port } = client.local;
  return writeMessage({
    startLine: asked.startLine,
    headers: [
      ['Via', `SIP/2.0/UDP ${address}:${port};rport;branch=z9hG4bK${address}-${port}-${uses}`],
      ...asked.headers,
      ['Max-Forwards', '70'],
      ['CSeq', `${1_000 + uses} REGISTER`],
      answerChallenge(who, asked.startLine, asked.challenge, uses),
    ],
    body: '',
  }).toString();
}

const accepted = (client: SipClient): number =>
  client.responses.filter((response) => statusOf(response) === 200).length;

/** Waits until no response has arrived for a while. */
async function settled(client: SipClient): Promise<void> {
  for (let before = -1; before !== client.responses.length; ) {
    before = client.responses.length;
    await sleep(500);
  }
}

test('EXT-23 a registered phone that floods with correct passwords is limited, and another phone is not', async () => {
  const flooder = await fixture.addExtension('4001');
  const honest = await fixture.addExtension('4002');
  const [client, other] = [await phone(), await phone()];
  expect(await status(client, flooder)).toBe(200);
  expect(await status(other, honest)).toBe(200);

  const asked = await challenged(client, flooder);
  const startedAt = performance.now();
  const before = accepted(client);
  for (let uses = 1; uses <= 400; uses += 1) client.send(registration(client, flooder, asked, uses));
  expect(await status(other, honest)).toBe(200);
  await settled(client);
  const windows = Math.ceil((performance.now() - startedAt) / windowMs) + 1;
  expect(accepted(client) - before).toBeGreaterThan(0);
  expect(accepted(client) - before).toBeLessThanOrEqual(most * windows);

  await sleep(windowMs + 1_000);
  expect(await status(client, flooder)).toBe(200);
});

test('EXT-23 requests of other methods from a registered phone are limited too', async () => {
  const extension = await fixture.addExtension('4008');
  const client = await phone();
  expect(await status(client, extension)).toBe(200);
  const { address, port } = client.local;
  const startedAt = performance.now();
  const before = accepted(client);
  for (let sent = 1; sent <= 400; sent += 1)
    client.send(
      writeMessage({
        startLine: `OPTIONS sip:${domain} SIP/2.0`,
        headers: [
          ['Via', `SIP/2.0/UDP ${address}:${port};rport;branch=z9hG4bK${port}-options-${sent}`],
          ['From', `<sip:${extension.ramal}@${domain}>;tag=a`],
          ['To', `<sip:${domain}>`],
          ['Call-ID', client.callId],
          ['CSeq', `${5_000 + sent} OPTIONS`],
          ['Max-Forwards', '70'],
        ],
        body: '',
      }),
    );
  await settled(client);
  const windows = Math.ceil((performance.now() - startedAt) / windowMs) + 1;
  expect(accepted(client) - before).toBeGreaterThan(0);
  expect(accepted(client) - before).toBeLessThanOrEqual(most * windows);
});

test('EXT-23 authenticated requests of an extension are limited over all addresses, and those of others do not count', async () => {
  const extension = await fixture.addExtension('4003');
  const owner = await phone();
  const strangers = await Promise.all(Array.from({ length: 8 }, () => phone()));
  for (const stranger of strangers)
    for (let sent = 0; sent < most - 5; sent += 1)
      stranger.send(registration(stranger, extension, await unauthenticated(extension, stranger), sent));
  expect(await status(owner, extension)).toBe(200);

  const phones = await Promise.all(Array.from({ length: 8 }, () => phone()));
  const asked = await Promise.all(phones.map((client) => challenged(client, extension)));
  const startedAt = performance.now();
  for (let uses = 1; uses <= most - 5; uses += 1)
    phones.forEach((client, index) => {
      client.send(registration(client, extension, asked[index] as Challenged, uses));
    });
  for (const client of phones) await settled(client);
  const windows = Math.ceil((performance.now() - startedAt) / windowMs) + 1;
  const finals = phones.flatMap((client) => client.responses).filter((answer) => statusOf(answer) !== 401);
  expect(finals.length).toBeGreaterThan(0);
  // Requests that are being checked while the limit is reached are answered as well.
  expect(finals.length).toBeLessThanOrEqual((most + 4) * windows);
});

/** A challenge that the edge has not issued: its answers are not authenticated. */
async function unauthenticated(extension: Credentials, client: SipClient): Promise<Challenged> {
  const header: [string, string] = [
    'WWW-Authenticate',
    `Digest realm="${extension.domain}", nonce="bm90IG91cnM", qop="auth"`,
  ];
  return {
    startLine: `REGISTER sip:${domain} SIP/2.0`,
    headers: [
      ['From', `<sip:${extension.ramal}@${domain}>;tag=a`],
      ['To', `<sip:${extension.ramal}@${domain}>`],
      ['Call-ID', client.callId],
      ['Contact', `<sip:${extension.ramal}@${client.local.address}:${client.local.port}>`],
    ],
    challenge: { startLine: 'SIP/2.0 401 Unauthorized', headers: [header], body: '' },
  };
}

test('EXT-24 credentials are accepted once, and again in a retransmission', async () => {
  const extension = await fixture.addExtension('4004');
  const client = await phone();
  const asked = await challenged(client, extension);
  const [first, second] = [1, 2].map((uses) =>
    answerChallenge(extension, asked.startLine, asked.challenge, uses),
  ) as [[string, string], [string, string]];
  expect(await statusWith(client, asked, first, 100)).toBe(200);
  expect(await statusWith(client, asked, first, 100)).toBe(200);
  expect(await statusWith(client, asked, first, 101)).toBe(401);
  expect(await statusWith(client, asked, second, 102)).toBe(200);
  expect(await statusWith(client, asked, second, 103)).toBe(401);
  expect(await status(client, extension)).toBe(200);
});

test('EXT-24 credentials without a counter are accepted three times', async () => {
  const extension = await fixture.addExtension('4005');
  const client = await phone();
  const asked = await challenged(client, extension);
  const without: SipMessage = {
    ...asked.challenge,
    headers: asked.challenge.headers.map(([name, value]) => [name, value.replace(/,? *qop="auth"/, '')]),
  };
  const credentials = answerChallenge(extension, asked.startLine, without);
  expect(credentials[1]).not.toContain('nc=');
  const statuses: number[] = [];
  for (const sequence of [100, 101, 102, 103])
    statuses.push(await statusWith(client, asked, credentials, sequence));
  expect(statuses).toEqual([200, 200, 200, 401]);
});

async function statusWith(
  client: SipClient,
  { startLine, headers }: Challenged,
  credentials: [string, string],
  sequence: number,
): Promise<number> {
  const answer = await client.ask({
    startLine,
    headers: [...headers, ['CSeq', `${sequence} REGISTER`], credentials],
  });
  return answer ? statusOf(answer) : 0;
}

/** Returns whether an unknown client at this address gets a response. */
async function isServed(client: SipClient, waitMs: number): Promise<boolean> {
  const headers: [string, string][] = [
    ['From', '<sip:unknown@acme.disca.test>;tag=a'],
    ['To', '<sip:unknown@acme.disca.test>'],
  ];
  return (
    (await client.ask({ startLine: 'OPTIONS sip:acme.disca.test SIP/2.0', headers }, waitMs)) !== undefined
  );
}

const disca = (...args: string[]) => runOperator(fixture, [...args, '--json']);

test('EXT-25 a ban holds on all edges, also on one that starts later, but not for known phones, until it is lifted', async () => {
  const [first, second] = [await fixture.startEdge(), await fixture.startEdge()];
  const office = newAddress();
  const honest = await fixture.addExtension('4006');
  expect(await status(await phone(first, office), honest)).toBe(200);
  const guesser = await phone(first, office);
  for (const ramal of ['4101', '4102', '4103', '4104'])
    expect(await status(guesser, { ramal, domain, senha: 'wrong' })).toBe(403);

  await until(async () => !(await isServed(await phone(second, office), 500)), 'the second edge bans it');
  const third = await fixture.startEdge();
  await until(async () => !(await isServed(await phone(third, office), 500)), 'the third edge bans it');
  for (const other of [second, third]) expect(await status(await phone(other, office), honest)).toBe(200);

  const { out } = await disca('ban', 'list');
  expect(JSON.parse(out)).toMatchObject([{ kind: 'address', key: office, edge: first.id }]);
  expect(await disca('ban', 'lift', office)).toMatchObject({ code: 0 });
  for (const each of [first, second, third])
    await until(async () => await isServed(await phone(each, office), 500), 'the ban has ended');
  expect(JSON.parse((await disca('ban', 'list')).out)).toEqual([]);
  expect(await disca('ban', 'lift', office)).toMatchObject({ code: 1 });
});

test('EXT-25 guessing an extension is counted and banned for all edges', async () => {
  const [first, second] = [await fixture.startEdge(), await fixture.startEdge()];
  const extension = await fixture.addExtension('4007');
  const address = newAddress();
  const guesser = await phone(first, address);
  for (let attempt = 0; attempt < 5; attempt += 1)
    expect(await status(guesser, { ...extension, senha: 'wrong' })).toBe(403);
  await until(
    async () => (await status(await phone(second, address), extension)) === 403,
    'the second edge refuses the pair',
  );
  expect(await status(await phone(second), extension)).toBe(200);
});

test('EXT-25 an extension that is guessed from many addresses is guarded by all edges, except at known addresses', async () => {
  const [first, second] = [await fixture.startEdge(), await fixture.startEdge()];
  const extension = await fixture.addExtension('4009');
  const home = newAddress();
  expect(await status(await phone(second, home), extension)).toBe(200);
  for (let guesser = 0; guesser < 5; guesser += 1) {
    const client = await phone(first);
    for (let attempt = 0; attempt < 4; attempt += 1)
      expect(await status(client, { ...extension, senha: 'wrong' })).toBe(403);
  }
  await until(
    async () => (await status(await phone(second), extension)) === 403,
    'the second edge guards the extension',
  );
  expect(await status(await phone(second, home), extension)).toBe(200);
});
