import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EdgeFixture, startEdges, type TestEdge } from '../../harness/edge/edge.ts';
import {
  answerChallenge,
  type Credentials,
  openSipClient,
  type SipClient,
} from '../../harness/edge/sip-client.ts';
import { statusOf } from '../../harness/edge/sip-message.ts';

let fixture: EdgeFixture;
let edge: TestEdge;
const clients: SipClient[] = [];
let lastOctet = 10;

beforeAll(async () => {
  fixture = await startEdges();
  edge = await fixture.startEdge({ FLOOD_REQUESTS: 200 });
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await fixture.close();
});

/** Returns a loopback address that no other test has used. */
function newAddress(): string {
  lastOctet += 1;
  return `127.0.1.${lastOctet}`;
}

async function phoneAt(address: string): Promise<SipClient> {
  const client = await openSipClient({ server: edge.public, local: { address } });
  clients.push(client);
  return client;
}

const wrong = (extension: Credentials): Credentials => ({ ...extension, senha: 'wrong-password' });
const status = async (client: SipClient, who: Credentials): Promise<number> =>
  statusOf(await client.register(who));

async function fail(client: SipClient, extension: Credentials, times: number): Promise<void> {
  for (let attempt = 0; attempt < times; attempt += 1) {
    expect((await client.register(wrong(extension))).startLine).toBe('SIP/2.0 403 Forbidden');
  }
}

/** Only ends tests that hang. */
const longMs = 60_000;

const isServed = async (client: SipClient): Promise<boolean> => !(await isDropped(client, longMs));

/** Returns whether requests get no response in this time. */
async function isDropped(client: SipClient, waitMs = 300): Promise<boolean> {
  const headers: [string, string][] = [
    ['From', '<sip:unknown@acme.disca.test>;tag=a'],
    ['To', '<sip:unknown@acme.disca.test>'],
  ];
  return (
    (await client.ask({ startLine: 'OPTIONS sip:acme.disca.test SIP/2.0', headers }, waitMs)) === undefined
  );
}

test('after five wrong passwords the right one is rejected too, for that address and extension only', async () => {
  const extension = await fixture.addExtension('3001');
  const neighbour = await fixture.addExtension('3002');
  const address = newAddress();
  const guesser = await phoneAt(address);
  await fail(guesser, extension, 5);
  expect((await guesser.register(extension)).startLine).toBe('SIP/2.0 403 Forbidden');
  expect(await status(guesser, neighbour)).toBe(200);
  expect(await status(await phoneAt(newAddress()), extension)).toBe(200);

  expect(edge.log()).toContain(`ban pair address=${address} extension=3001@acme.disca.test failures=5`);
  expect(edge.control('htable.dump', 'banned_pairs')).toContain(`${address}|3001@acme.disca.test`);
});

test('a correct password clears four wrong ones', async () => {
  const extension = await fixture.addExtension('3003');
  const client = await phoneAt(newAddress());
  for (let round = 0; round < 3; round += 1) {
    await fail(client, extension, 4);
    expect(await status(client, extension)).toBe(200);
  }
});

test('an address that fails on four extensions is dropped, except for phones known there', async () => {
  const office = newAddress();
  const honest = await fixture.addExtension('3004');
  const desk = await phoneAt(office);
  expect(await status(desk, honest)).toBe(200);

  const guesser = await phoneAt(office);
  for (const ramal of ['3101', '3102', '3103', '3104']) {
    await fail(guesser, { ramal, domain: honest.domain, senha: '' }, 1);
  }
  expect(await isDropped(guesser)).toBe(true);
  expect(edge.log()).toContain(`ban address=${office} failures=4 extensions=4`);
  expect(edge.control('htable.dump', 'banned_addresses')).toContain(office);

  expect(await status(desk, honest)).toBe(200);
  // After a restart of the phone, from another port and with another Call-ID.
  expect(await status(await phoneAt(office), honest)).toBe(200);
  expect(await isServed(await phoneAt(newAddress()))).toBe(true);
});

test('an address that fails fifteen times on few extensions is banned too', async () => {
  const guesser = await phoneAt(newAddress());
  for (const ramal of ['3111', '3112', '3113']) {
    await fail(guesser, { ramal, domain: 'acme.disca.test', senha: '' }, 5);
  }
  expect(await isDropped(guesser)).toBe(true);
});

test('an extension guessed from many addresses only accepts logins from known addresses', async () => {
  const extension = await fixture.addExtension('3005');
  const home = newAddress();
  const owner = await phoneAt(home);
  expect(await status(owner, extension)).toBe(200);
  for (let guesser = 0; guesser < 5; guesser += 1) await fail(await phoneAt(newAddress()), extension, 4);
  expect(edge.log()).toContain('guard extension=3005@acme.disca.test failures=20');
  expect(edge.control('htable.dump', 'guarded_extensions')).toContain('3005@acme.disca.test');

  const elsewhere = await phoneAt(newAddress());
  expect((await elsewhere.register(extension)).startLine).toBe('SIP/2.0 403 Forbidden');
  expect(await status(owner, extension)).toBe(200);
  expect(await status(await phoneAt(home), extension)).toBe(200);
});

test('a phone with an old password does not lock out one registered from the same address', async () => {
  const extension = await fixture.addExtension('3006');
  const office = newAddress();
  const current = await phoneAt(office);
  expect(await status(current, extension)).toBe(200);
  await fail(await phoneAt(office), extension, 8);
  expect(await status(current, extension)).toBe(200);
  // The office is not banned either, because this extension was known there.
  const other = await fixture.addExtension('3007');
  expect(await status(await phoneAt(office), other)).toBe(200);
});

test('a flood from one address is dropped, and a phone known there is not', async () => {
  const office = newAddress();
  const honest = await fixture.addExtension('3008');
  const desk = await phoneAt(office);
  expect(await status(desk, honest)).toBe(200);
  const flooder = await phoneAt(office);
  const options = [
    'OPTIONS sip:acme.disca.test SIP/2.0',
    `Via: SIP/2.0/UDP ${office}:${flooder.local.port};branch=z9hG4bKflood`,
    'From: <sip:x@acme.disca.test>;tag=a',
    'To: <sip:acme.disca.test>',
    'Call-ID: flood',
    'CSeq: 1 OPTIONS',
    'Content-Length: 0',
    '\r\n',
  ].join('\r\n');
  for (let sent = 0; sent < 600; sent += 1) flooder.send(options);
  expect(await isDropped(flooder)).toBe(true);
  expect(await status(desk, honest)).toBe(200);
  expect(await isServed(await phoneAt(newAddress()))).toBe(true);
});

test('scanners that identify themselves get no response', async () => {
  const scanner = await openSipClient({ server: edge.public, userAgent: 'friendly-scanner' });
  clients.push(scanner);
  expect(await isDropped(scanner)).toBe(true);
});

test('a spoofed source address cannot be banned: failures count only with a nonce for that address', async () => {
  const extension = await fixture.addExtension('3009');
  const victim = await phoneAt(newAddress());
  const attacker = await phoneAt(newAddress());
  // Answers the attacker's challenge from the victim's address, as a spoofed datagram would.

  const startLine = `REGISTER sip:${extension.domain} SIP/2.0`;
  const headers: [string, string][] = [
    ['From', `<sip:3009@${extension.domain}>;tag=a`],
    ['To', `<sip:3009@${extension.domain}>`],
    ['Call-ID', 'forged'],
    ['Contact', '<sip:x@127.0.0.1:9>'],
  ];
  const challenge = await attacker.ask({ startLine, headers });
  if (!challenge) throw new Error('There is no challenge.');
  const credentials = answerChallenge(wrong(extension), startLine, challenge);
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const answer = await victim.ask({ startLine, headers: [...headers, credentials] });
    expect(answer && statusOf(answer)).toBe(401);
  }
  expect(await status(victim, extension)).toBe(200);
});
