import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerCalls, inviteTo, openMediaNode } from '../../../harness/edge/calls.ts';
import { answerChallenge, type Credentials, type SipClient } from '../../../harness/edge/sip-client.ts';
import { headerOf, methodOf, statusOf } from '../../../harness/edge/sip-message.ts';
import {
  grantedSeconds,
  type SessionFixture,
  shorten,
  startSessionFixture,
} from '../../../harness/fixtures/phone-sessions.ts';
import { createAccount } from '../../../harness/people.ts';

let fixture: SessionFixture;
let node: SipClient;

beforeAll(async () => {
  fixture = await startSessionFixture();
  node = await openMediaNode(fixture.edges, fixture.edge);
});
afterAll(async () => {
  await node.close();
  await fixture.close();
});

const isRegistered = (extension: Credentials) => fixture.isRegistered(extension);

async function ring(extension: Credentials): Promise<number> {
  const answer = await node.ask(inviteTo(node, extension));
  return answer ? statusOf(answer) : 0;
}

const rings = ({ requests }: SipClient): number =>
  requests.filter((request) => methodOf(request) === 'INVITE').length;

/** Returns the edge's response to an INVITE with these credentials. */
async function call(client: SipClient, who: Credentials) {
  const { ramal, domain } = who;
  const headers: [string, string][] = [
    ['From', `<sip:${ramal}@${domain}>;tag=caller`],
    ['To', `<sip:190@${domain}>`],
    ['Contact', `<sip:${ramal}@${client.local.address}:${client.local.port}>`],
    ['Call-ID', `call-of-${who.identity}`],
  ];
  return await client.askAs(who, { startLine: `INVITE sip:190@${domain} SIP/2.0`, headers });
}

test('EXT-18 a session registers by WebSocket as its extension, which is registered and rings', async () => {
  const extension = await fixture.newExtension();
  const session = await fixture.open(extension);
  const browser = await fixture.browser();
  const answer = await browser.register({ ...session, expiresSeconds: 120 });
  expect(statusOf(answer)).toBe(200);
  expect(grantedSeconds(answer)).toBeGreaterThan(110);
  const { body } = await fixture.account.admin.client.get(`/extensions/${extension.id}`);
  expect(body).toMatchObject({ registered: true });
  answerCalls(browser);
  expect(await ring(extension)).toBe(200);
  expect(rings(browser)).toBe(1);
  // No media node accepts the call, but the caller is authenticated.
  expect([401, 403, 407]).not.toContain(statusOf((await call(browser, session)) ?? answer));
});

test('EXT-18 a session is invalid with another password, extension or account', async () => {
  const extension = await fixture.newExtension();
  const other = await fixture.newExtension();
  const session = await fixture.open(extension);
  const client = await fixture.phone('127.0.0.9');
  const tries: Credentials[] = [
    { ...session, senha: 'another-password' },
    { ...session, ramal: other.ramal },
    { ...session, domain: (await createAccount(fixture.platform)).domain },
    { ...session, senha: extension.senha },
    { ...extension, senha: session.senha },
  ];
  for (const who of tries) expect(statusOf(await client.register(who))).toBe(403);
  expect([await isRegistered(extension), await isRegistered(other)]).toEqual([false, false]);
});

test('password guesses for a session are counted against its extension', async () => {
  const extension = await fixture.newExtension();
  const session = await fixture.open(extension);
  const guesser = await fixture.phone('127.0.0.10');
  for (let guess = 0; guess < 5; guess += 1) {
    const identity = `${extension.ramal}.s${String(guess).repeat(16)}`;
    expect(statusOf(await guesser.register({ ...session, identity }))).toBe(403);
  }
  expect(fixture.edge.control('htable.dump', 'banned_pairs')).toContain(
    `127.0.0.10|${extension.ramal}@${extension.domain}`,
  );
  expect(statusOf(await guesser.register(session))).toBe(403);
  expect(statusOf(await (await fixture.phone()).register(session))).toBe(200);
});

test('EXT-18 a registration expires no later than its session, in the response and in presence', async () => {
  const extension = await fixture.newExtension();
  const session = await fixture.open(extension);
  await shorten(fixture.platform, session, 40);
  const browser = await fixture.browser();
  const answer = await browser.register({ ...session, expiresSeconds: 300 });
  expect(statusOf(answer)).toBe(200);
  expect(grantedSeconds(answer)).toBeGreaterThan(20);
  expect(grantedSeconds(answer)).toBeLessThanOrEqual(40);
  const [row] = await fixture.platform.database.query<{ in_time: boolean }>(
    `select p.expires_at <= s.expires_at and to_timestamp(l.expires) <= s.expires_at as in_time
       from extension_presence p, phone_sessions s, edge.location l
      where p.extension_id = $1 and s.id = $2 and l.username = $3`,
    [extension.id, session.id, extension.ramal],
  );
  expect(row).toEqual({ in_time: true });

  // Expire the session and the registration together. Presence follows updates of `q`.
  await shorten(fixture.platform, session, -1);
  await fixture.platform.database.query(
    'update edge.location set expires = extract(epoch from now())::bigint - 1, q = q where username = $1',
    [extension.ramal],
  );
  expect(await isRegistered(extension)).toBe(false);
  expect(await ring(extension)).toBe(480);
});

test('EXT-18 an expired session can neither register, refresh nor call, and its phone is not banned', async () => {
  const extension = await fixture.newExtension();
  const session = await fixture.open(extension);
  const browser = await fixture.logIn(session);
  await shorten(fixture.platform, session, -1);
  for (let attempt = 0; attempt < 8; attempt += 1) {
    expect((await browser.register(session)).startLine).toBe('SIP/2.0 403 Session Expired');
  }
  expect((await call(browser, session))?.startLine).toBe('SIP/2.0 403 Session Expired');
  expect(statusOf(await (await fixture.phone()).register(session))).toBe(403);
  expect(statusOf(await browser.register({ ...(await fixture.open(extension)), callId: 'renewed' }))).toBe(
    200,
  );
});

test('a session with a few seconds left cannot register', async () => {
  const session = await fixture.open(await fixture.newExtension());
  const browser = await fixture.logIn(session);
  await shorten(fixture.platform, session, 8);
  expect(statusOf(await browser.register(session))).toBe(403);
});

test('EXT-18 ending a session ends its registration immediately', async () => {
  const extension = await fixture.newExtension();
  const session = await fixture.open(extension);
  const browser = await fixture.browser();
  expect(statusOf(await browser.register(session))).toBe(200);
  expect((await fixture.account.admin.client.delete(session.path)).status).toBe(204);
  expect(await isRegistered(extension)).toBe(false);
  expect(await ring(extension)).toBe(480);
  expect((await browser.register(session)).startLine).toBe('SIP/2.0 403 Session Expired');
  expect((await call(browser, session))?.startLine).toBe('SIP/2.0 403 Session Expired');
});

test('EXT-08 the newest login replaces the others; ending the replaced session leaves it registered', async () => {
  const extension = await fixture.newExtension();
  const session = await fixture.open(extension);
  const desk = await fixture.logIn(extension);
  const browser = await fixture.logIn(session);
  expect(statusOf(await desk.register(extension))).toBe(403);

  expect(statusOf(await desk.register({ ...extension, callId: `${desk.callId}-again` }))).toBe(200);
  expect((await browser.register(session)).startLine).toBe('SIP/2.0 403 Replaced By A Newer Login');
  await fixture.account.admin.client.delete(session.path);
  expect(await isRegistered(extension)).toBe(true);
  answerCalls(desk);
  expect(await ring(extension)).toBe(200);
});

test('ending a session lets the phone that it replaced register again', async () => {
  const extension = await fixture.newExtension();
  const session = await fixture.open(extension);
  const desk = await fixture.logIn(extension);
  await fixture.logIn(session);
  expect(statusOf(await desk.register(extension))).toBe(403);
  await fixture.account.admin.client.delete(session.path);
  expect(statusOf(await desk.register(extension))).toBe(200);
});

test('a new session replaces the login of the previous one, which then ends without effect', async () => {
  const extension = await fixture.newExtension();
  const [first, second] = [await fixture.open(extension), await fixture.open(extension)];
  const browser = await fixture.logIn(first);
  expect(statusOf(await browser.register(second))).toBe(200);
  await fixture.account.admin.client.delete(first.path);
  expect(await isRegistered(extension)).toBe(true);
  await fixture.account.admin.client.delete(second.path);
  expect(await isRegistered(extension)).toBe(false);
});

test('the sixth session ends the registration of the oldest', async () => {
  const extension = await fixture.newExtension();
  await fixture.logIn(await fixture.open(extension));
  for (let count = 0; count < 4; count += 1) await fixture.open(extension);
  expect(await isRegistered(extension)).toBe(true);
  await fixture.open(extension);
  expect(await isRegistered(extension)).toBe(false);
});

test('a session unregisters like any phone, and may register again', async () => {
  const extension = await fixture.newExtension();
  const session = await fixture.open(extension);
  const browser = await fixture.logIn(session);
  expect(statusOf(await browser.register({ ...session, expiresSeconds: 0 }))).toBe(200);
  expect(await isRegistered(extension)).toBe(false);
  expect(statusOf(await browser.register(session))).toBe(200);
});

test('a session may query its registrations, before and after registering', async () => {
  const extension = await fixture.newExtension();
  const session = await fixture.open(extension);
  const browser = await fixture.browser();
  const address = `<sip:${extension.ramal}@${extension.domain}>`;
  const question = {
    startLine: `REGISTER sip:${extension.domain} SIP/2.0`,
    headers: [
      ['From', `${address};tag=asks`],
      ['To', address],
    ] satisfies [string, string][],
  };
  const listContacts = async () =>
    (await browser.askAs(session, question)) ?? { startLine: '', headers: [], body: '' };
  const before = await listContacts();
  expect([statusOf(before), headerOf(before, 'Contact')]).toEqual([200, '']);
  await browser.register(session);
  const after = await listContacts();
  expect([statusOf(after), headerOf(after, 'Contact')]).toEqual([200, expect.stringContaining('expires=')]);
});

test.for([
  ['its senha changes', { senha: 'another-password' }],
  ['its number changes', { ramal: '77001' }],
  ['it gets another owner', undefined],
  ['it is removed', null],
] as const)('EXT-18 the sessions of an extension and their registrations end when %s', async ([, change]) => {
  const { client, email } = fixture.account.admin;
  const extension = await fixture.newExtension();
  const session = await fixture.open(extension);
  const browser = await fixture.logIn(session);
  if (change === null) await client.delete(`/extensions/${extension.id}`);
  else await client.patch('/extensions', { id: extension.id, ...(change ?? { email_address: email }) });
  expect(await isRegistered(extension)).toBe(false);
  expect(await ring(extension)).toBe(480);
  expect(statusOf(await browser.register(session))).toBe(403);
});

test('blocking the account ends the registrations of its sessions', async () => {
  const account = await createAccount(fixture.platform);
  const extension = await fixture.newExtension(account);
  const session = await fixture.open(extension, account);
  const browser = await fixture.logIn(session);
  await fixture.platform.database.query(`update accounts set status = 'blocked' where id = $1`, [account.id]);
  expect(await isRegistered(extension)).toBe(false);
  expect(await ring(extension)).toBe(480);
  expect(statusOf(await browser.register(session))).toBe(403);
});

test('twenty other logins of a session do not make its registration outlive it', async () => {
  const extension = await fixture.newExtension();
  const session = await fixture.open(extension);
  const browser = await fixture.logIn(session);
  // None of these registrations is stored, because each has two contacts.
  const contact = '<sip:x@127.0.0.1:9>, <sip:y@127.0.0.1:9>';
  for (let other = 0; other < 25; other += 1) {
    const refused = await browser.register({ ...session, contact, callId: `other-${other}-${session.id}` });
    expect(statusOf(refused)).toBe(400);
  }
  const links = await fixture.platform.database.query(
    'select from edge.session_logins where session_id = $1',
    [session.id],
  );
  expect(links.length).toBeLessThanOrEqual(21);
  expect(await isRegistered(extension)).toBe(true);
  expect((await fixture.account.admin.client.delete(session.path)).status).toBe(204);
  expect(await isRegistered(extension)).toBe(false);
  expect(await ring(extension)).toBe(480);
});

test('a registration whose session was removed before it was stored is dropped', async () => {
  const { database } = fixture.platform;
  const extension = await fixture.newExtension();
  await database.query(
    `insert into edge.location (ruid, username, domain, contact, expires, callid, cseq, last_modified)
     values ('unheld', $1, $2, 'sip:late@192.0.2.1', extract(epoch from now())::bigint + 100, 'unheld', 1, 0)`,
    [extension.ramal, extension.domain],
  );
  expect(await isRegistered(extension)).toBe(true);
  const granted = await database.query(`select edge.granted_seconds($1, $2, md5('unheld')) as seconds`, [
    extension.domain,
    extension.ramal,
  ]);
  expect(granted).toEqual([{ seconds: null }]);
  expect(await isRegistered(extension)).toBe(false);
});

test('EXT-18 an ended session cannot register by naming an extension in a second header', async () => {
  const extension = await fixture.newExtension();
  const session = await fixture.open(extension);
  expect((await fixture.account.admin.client.delete(session.path)).status).toBe(204);
  const client = await fixture.phone();
  const { ramal, domain } = extension;
  const name = `Digest username="${ramal}", realm="${domain}", nonce="x", uri="sip:${domain}", response="${'0'.repeat(32)}"`;
  const asked = {
    startLine: `REGISTER sip:${domain} SIP/2.0`,
    headers: [
      ['From', `<sip:${ramal}@${domain}>;tag=a`],
      ['To', `<sip:${ramal}@${domain}>`],
      ['Contact', `<sip:${ramal}@127.0.0.1:9>`],
    ] satisfies [string, string][],
  };
  const challenge = await client.ask(asked);
  if (!challenge) throw new Error('There is no challenge.');
  const credentials = answerChallenge(session, asked.startLine, challenge);
  const both: [string, string][] = [['Proxy-Authorization', name], credentials];
  const answer = await client.ask({ ...asked, headers: [...asked.headers, ...both] });
  expect(answer?.startLine).toBe('SIP/2.0 403 Forbidden');
  expect(await isRegistered(extension)).toBe(false);
});

test('a registration authorised before its session ended is not kept if it arrives later', async () => {
  const { database } = fixture.platform;
  const extension = await fixture.newExtension();
  const session = await fixture.open(extension);
  await fixture.logIn(session);
  await database.query('update phone_sessions set ended_at = now() where id = $1', [session.id]);
  const [login] = await database.query<{ call_id_hash: string }>(
    'select call_id_hash from edge.session_logins where session_id = $1',
    [session.id],
  );
  expect(login).toBeDefined();
  await database.query(
    `insert into edge.session_logins (domain, username, call_id_hash, session_id, last_used_at)
     values ($1, $2, md5('late'), $3, now())`,
    [extension.domain, extension.ramal, session.id],
  );
  await database.query(
    `insert into edge.location (ruid, username, domain, contact, expires, callid, cseq, last_modified)
     values ('late', $1, $2, 'sip:late@192.0.2.1', extract(epoch from now())::bigint + 100, 'late', 1, 0)`,
    [extension.ramal, extension.domain],
  );
  expect(await isRegistered(extension)).toBe(false);
});
