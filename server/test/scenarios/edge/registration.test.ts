import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerCalls, countRings, inviteTo, openMediaNode } from '../../harness/edge/calls.ts';
import {
  addAccount,
  type EdgeFixture,
  readPresence,
  startEdges,
  type TestEdge,
} from '../../harness/edge/edge.ts';
import { type Credentials, openSipClient, type SipClient } from '../../harness/edge/sip-client.ts';
import { headerOf, statusOf } from '../../harness/edge/sip-message.ts';

let fixture: EdgeFixture;
let edge: TestEdge;
let node: SipClient;
const clients: SipClient[] = [];

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

async function phone(options: { transport?: 'udp' | 'tcp'; address?: string } = {}): Promise<SipClient> {
  const local = { address: options.address ?? '127.0.0.1' };
  const client = await openSipClient({ server: edge.public, local, transport: options.transport ?? 'udp' });
  clients.push(client);
  return client;
}

/** Registers from a new phone and returns it. */
async function logIn(extension: Credentials, options: Parameters<typeof phone>[0] = {}): Promise<SipClient> {
  const client = await phone(options);
  expect(statusOf(await client.register(extension))).toBe(200);
  return client;
}

const presence = (extension: Credentials) => readPresence(fixture.database, extension);

async function ring(extension: Credentials): Promise<number> {
  const answer = await node.ask(inviteTo(node, extension));
  return answer ? statusOf(answer) : 0;
}

test('EXT-07 a softphone registers with domain, ramal and senha, and is rejected with another senha', async () => {
  const extension = await fixture.addExtension('1001');
  const client = await logIn(extension);
  expect(await presence(extension)).toMatchObject({
    isRegistered: true,
    transport: 'udp',
    userAgent: 'Test Phone 1.0',
  });

  const intruder = await phone();
  const refused = await intruder.register({ ...extension, senha: 'another-password' });
  expect(refused.startLine).toBe('SIP/2.0 403 Forbidden');
  expect((await presence(extension))?.callId).toBe(client.callId);
});

test('EXT-08 a second softphone replaces the first, which is rejected at its refresh and does not ring', async () => {
  const extension = await fixture.addExtension('1002');
  const first = await logIn(extension);
  const second = await logIn(extension, { address: '127.0.0.2' });
  answerCalls(first);
  answerCalls(second);

  expect((await first.register(extension)).startLine).toBe('SIP/2.0 403 Replaced By A Newer Login');
  expect(await ring(extension)).toBe(200);
  expect([countRings(first), countRings(second)]).toEqual([0, 1]);
  expect(statusOf(await second.register(extension))).toBe(200);
  expect((await presence(extension))?.callId).toBe(second.callId);
});

test('EXT-08 a replaced softphone that registers anew takes the extension back', async () => {
  const extension = await fixture.addExtension('1003');
  const first = await logIn(extension);
  const second = await logIn(extension);
  expect(statusOf(await first.register({ ...extension, callId: 'a-new-login' }))).toBe(200);
  expect(statusOf(await second.register(extension))).toBe(403);
});

test('EXT-08 a softphone that unregisters returns the extension to the one it replaced', async () => {
  const extension = await fixture.addExtension('1004');
  const first = await logIn(extension);
  const second = await logIn(extension);
  expect(statusOf(await first.register(extension))).toBe(403);
  expect(statusOf(await second.register({ ...extension, expiresSeconds: 0 }))).toBe(200);
  expect(statusOf(await first.register(extension))).toBe(200);
  expect((await presence(extension))?.callId).toBe(first.callId);
});

test('a replaced softphone that unregisters does not affect the other, and may register again', async () => {
  const extension = await fixture.addExtension('1005');
  const first = await logIn(extension);
  const second = await logIn(extension);
  expect(statusOf(await first.register({ ...extension, expiresSeconds: 0 }))).toBe(200);
  expect(await presence(extension)).toMatchObject({ isRegistered: true, callId: second.callId });
  expect(statusOf(await first.register(extension))).toBe(200);
  expect(statusOf(await second.register(extension))).toBe(403);
});

test('EXT-16 presence follows the registration: a refresh keeps its start, unregistering ends it', async () => {
  const extension = await fixture.addExtension('1006');
  expect(await presence(extension)).toBeUndefined();
  const client = await logIn(extension);
  const first = await presence(extension);
  expect(first?.isRegistered).toBe(true);
  await logInAgain(client, extension);
  expect((await presence(extension))?.registeredAt).toEqual(first?.registeredAt);

  expect(statusOf(await client.register({ ...extension, expiresSeconds: 0 }))).toBe(200);
  expect((await presence(extension))?.isRegistered ?? false).toBe(false);
  expect(await ring(extension)).toBe(480);

  await logInAgain(client, extension);
  const again = await presence(extension);
  expect(again?.isRegistered).toBe(true);
  expect(again?.registeredAt.getTime()).toBeGreaterThan(first?.registeredAt.getTime() ?? 0);
});

async function logInAgain(client: SipClient, extension: Credentials): Promise<void> {
  expect(statusOf(await client.register(extension))).toBe(200);
}

test('EXT-16 a registration that is not refreshed expires', async () => {
  const extension = await fixture.addExtension('1007');
  await logIn(extension);
  // The minimum expiry is one minute, so the row is changed instead of waiting. Presence follows updates of `q`.
  await fixture.database.query(
    `update edge.location set expires = extract(epoch from now())::bigint - 1, q = q where username = '1007'`,
  );
  expect((await presence(extension))?.isRegistered).toBe(false);
  expect(await ring(extension)).toBe(480);
  const rows = () => fixture.database.query(`select from edge.location where username = '1007'`);
  await expect.poll(async () => (await rows()).length).toBe(0);
});

test('a registration lasts one to five minutes, whatever the softphone requests', async () => {
  const extension = await fixture.addExtension('1008');
  const client = await phone();
  const granted = async (expiresSeconds: number): Promise<number> => {
    const answer = await client.register({ ...extension, expiresSeconds });
    return Number(/expires=(\d+)/.exec(headerOf(answer, 'Contact'))?.[1]);
  };
  expect(await granted(1)).toBe(60);
  expect(await granted(150)).toBe(150);
  expect(await granted(86_400)).toBe(300);
});

test('closing a connection ends the registration made over it', async () => {
  const extension = await fixture.addExtension('1009');
  const client = await phone({ transport: 'tcp' });
  expect(statusOf(await client.register(extension))).toBe(200);
  expect(await presence(extension)).toMatchObject({ isRegistered: true, transport: 'tcp' });
  await client.close();
  await expect.poll(async () => (await presence(extension))?.isRegistered).toBe(false);
  expect(await ring(extension)).toBe(480);
});

test.for([
  ['its password changes', `update extensions set ha1 = md5('another') where ramal = $1`],
  ['its number changes', `update extensions set ramal = '9' || ramal where ramal = $1`],
  ['it is removed', `delete from extensions where ramal = $1`],
] as const)('EXT-17 the registration of an extension ends when %s', async ([, change], { task }) => {
  const extension = await fixture.addExtension(`17${task.name.length}`);
  const client = await logIn(extension);
  await fixture.database.query(change, [extension.ramal]);
  expect((await presence(extension))?.isRegistered ?? false).toBe(false);
  expect(await ring(extension)).toBe(480);
  expect(statusOf(await client.register(extension))).toBe(403);
});

test('blocking an account ends its registrations, and activating it allows them again', async () => {
  const at = 'blocked.disca.test';
  await addAccount(fixture.database, at);
  const extension = await fixture.addExtension('1001', at);
  const client = await logIn(extension);
  await fixture.database.query(`update accounts set status = 'blocked' where domain = $1`, [at]);
  expect((await presence(extension))?.isRegistered).toBe(false);
  expect(await ring(extension)).toBe(480);
  expect(statusOf(await client.register(extension))).toBe(403);
  await fixture.database.query(`update accounts set status = 'active' where domain = $1`, [at]);
  expect(statusOf(await client.register(extension))).toBe(200);
});

test('the same ramal in two accounts is two extensions', async () => {
  const at = 'other.disca.test';
  await addAccount(fixture.database, at);
  const own = await fixture.addExtension('1010');
  const other = await fixture.addExtension('1010', at);
  const client = await logIn(own);
  expect(await presence(other)).toBeUndefined();
  expect(statusOf(await (await phone()).register({ ...other, senha: own.senha }))).toBe(403);
  await logIn(other);
  expect(statusOf(await client.register(own))).toBe(200);
});

test('only one contact can be registered, and only by its own extension', async () => {
  const extension = await fixture.addExtension('1011');
  const client = await phone();
  for (const contact of [
    '<sip:a@127.0.0.1:9>, <sip:b@127.0.0.1:10>',
    'sip:a@127.0.0.1:9, sip:b@127.0.0.1:10',
  ])
    expect(statusOf(await client.register({ ...extension, contact }))).toBe(400);
  const forAnother = await client.askAs(extension, {
    startLine: `REGISTER sip:${extension.domain} SIP/2.0`,
    headers: [
      ['From', `<sip:1011@${extension.domain}>;tag=a`],
      ['To', `<sip:1001@${extension.domain}>`],
      ['Contact', '<sip:x@127.0.0.1:9>'],
    ],
  });
  expect(forAnother && statusOf(forAnother)).toBe(403);
  expect(await presence(extension)).toBeUndefined();
});

test('registrations and known phones survive an edge restart', async () => {
  const extension = await fixture.addExtension('1012');
  const client = await logIn(extension);
  answerCalls(client);
  const before = await presence(extension);
  await edge.engine.restart('kill');
  expect(await presence(extension)).toEqual(before);
  expect(await ring(extension)).toBe(200);
  expect(statusOf(await client.register(extension))).toBe(200);
  expect((await presence(extension))?.registeredAt).toEqual(before?.registeredAt);
  expect(edge.control('htable.dump', 'known_phones')).toContain(`127.0.0.1|1012@${extension.domain}`);
});
