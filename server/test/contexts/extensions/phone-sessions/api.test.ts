import { createHash, createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wireApi } from '../../../../src/main/wire.ts';
import { digestKeys } from '../../../harness/digest-keys.ts';
import { extensionBody } from '../../../harness/fixtures/extensions.ts';
import { createAccount, type Person, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

const turnSecret = 'a secret shared by the API and its relays';

let platform: Platform;
let account: TestAccount;
let owner: Person;

beforeAll(async () => {
  platform = await startPlatform({
    RATE_LIMIT_SCALE: '1000',
    PHONE_SESSION_SECONDS: '600',
    EDGE_WEBSOCKET_URLS: 'wss://sip1.disca.test, wss://sip2.disca.test:8443',
    TURN_URLS: 'turn:turn.disca.test:3478,turns:turn.disca.test:5349?transport=tcp',
    TURN_SECRET: turnSecret,
  });
  account = await createAccount(platform);
  owner = await account.addUser();
  await platform.database.query('update users set email_verified = true where uuid = $1', [owner.uuid]);
});
afterAll(() => platform.close());

interface TestExtension {
  id: number;
  ramal: string;
  path: string;
}

async function newExtension(changes: Record<string, unknown> = {}): Promise<TestExtension> {
  const { body } = await account.admin.client.post('/extensions', extensionBody(changes));
  return { id: body.id, ramal: body.ramal, path: `/extensions/${body.id}/phone-sessions` };
}

const ownExtension = () => newExtension({ email_address: owner.email });

async function open({ path }: TestExtension, { client }: Person = account.admin) {
  const { status, body } = await client.post(path);
  expect(status).toBe(200);
  return body;
}

const liveSessions = async ({ id }: TestExtension): Promise<string[]> => {
  const rows = await platform.database.query<{ id: string }>(
    'select id from phone_sessions where extension_id = $1 and ended_at is null order by created_at, id',
    [id],
  );
  return rows.map((row) => row.id);
};

test('EXT-18 ADMINs and the owner of the extension get credentials and WebSocket addresses', async () => {
  const extension = await ownExtension();
  for (const person of [account.admin, owner]) {
    const before = platform.clock.now().getTime();
    const session = await open(extension, person);
    const after = platform.clock.now().getTime();
    expect(session).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      username: expect.stringMatching(new RegExp(`^${extension.ramal}\\.s[a-z0-9]{16}$`)),
      password: expect.stringMatching(/^[A-Za-z0-9_-]{32}$/),
      domain: account.domain,
      ramal: extension.ramal,
      uri: `sip:${extension.ramal}@${account.domain}`,
      expires_at: expect.any(String),
      registration_seconds: 120,
      websocket_urls: ['wss://sip1.disca.test', 'wss://sip2.disca.test:8443'],
      ice_servers: [expect.anything()],
    });
    const opened = Date.parse(session.expires_at) - 600_000;
    expect(opened).toBeGreaterThanOrEqual(before);
    expect(opened).toBeLessThanOrEqual(after);
  }
});

test('EXT-18 another user is rejected, and foreign and unknown extensions return 404', async () => {
  const extension = await newExtension();
  const refused = await owner.client.post(extension.path);
  expect([refused.status, refused.body.error.errorCode]).toEqual([403, 'ACCESS_DENIED']);
  const otherAdmin = (await createAccount(platform)).admin;
  expect((await otherAdmin.client.post(extension.path)).status).toBe(404);
  expect((await account.admin.client.post('/extensions/999999999/phone-sessions')).status).toBe(404);
  expect(await liveSessions(extension)).toEqual([]);
});

test('EXT-18 a former owner gets no new session, and existing ones have ended', async () => {
  const extension = await ownExtension();
  await open(extension, owner);
  await account.admin.client.patch('/extensions', { id: extension.id, email_address: 'else@empresa.test' });
  expect(await liveSessions(extension)).toEqual([]);
  expect((await owner.client.post(extension.path)).status).toBe(403);
});

test('EXT-18 a session ends with its token, by logout or revocation; others continue', async () => {
  const extension = await ownExtension();
  const { body: first } = await owner.client.post('/users/accessTokens');
  const { body: second } = await owner.client.post('/users/accessTokens');
  const kept = await open(extension, owner);
  const opened: string[] = [];
  for (const { id } of [first, second]) {
    platform.clock.advance(1);
    opened.push((await open(extension, { ...owner, client: platform.client(id) })).id);
  }
  expect(await liveSessions(extension)).toEqual([kept.id, ...opened]);
  await platform.client(first.id).delete('/console/session');
  expect(await liveSessions(extension)).toEqual([kept.id, opened[1]]);
  await owner.client.delete(`/users/accessTokens/${second.id.slice(0, 8)}`);
  expect(await liveSessions(extension)).toEqual([kept.id]);
});

test('EXT-18 a token revoked while it opens a session leaves no session behind', async () => {
  const extension = await ownExtension();
  for (let round = 0; round < 5; round += 1) {
    const { body: token } = await owner.client.post('/users/accessTokens');
    await Promise.all([
      platform.client(token.id).post(extension.path),
      platform.client(token.id).delete('/console/session'),
    ]);
    expect(await liveSessions(extension)).toEqual([]);
  }
});

test('relay credentials are valid until the session expires, signed with the relay secret', async () => {
  const extension = await newExtension();
  const session = await open(extension);
  const [{ urls, username, credential }] = session.ice_servers;
  expect(urls).toEqual(['turn:turn.disca.test:3478', 'turns:turn.disca.test:5349?transport=tcp']);
  expect(username).toBe(`${Math.floor(Date.parse(session.expires_at) / 1000)}:${account.id}-${extension.id}`);
  expect(credential).toBe(createHmac('sha1', turnSecret).update(username).digest('base64'));
});

test('REST-01 stores the sealed digest of a session; its password is in no table, log or audit entry', async () => {
  const session = await open(await newExtension());
  const [row] = await platform.database.query<Record<string, unknown>>(
    'select * from phone_sessions where id = $1',
    [session.id],
  );
  const text = `${session.username}:${session.domain}:${session.password}`;
  expect(row?.ha1).toBeNull();
  expect(digestKeys.open(session, String(row?.ha1_sealed))).toBe(
    createHash('md5').update(text).digest('hex'),
  );
  const entries = await platform.database.query('select * from audit_entries');
  const stored = JSON.stringify([row, entries, platform.logLines]);
  expect(stored).not.toContain(session.password);
  expect(stored).not.toContain(session.ice_servers[0].credential);
});

test('a sixth session ends the oldest; expired sessions do not count', async () => {
  const extension = await newExtension();
  const ids: string[] = [];
  for (let count = 0; count < 6; count += 1) {
    ids.push((await open(extension)).id);
    platform.clock.advance(1);
  }
  expect(await liveSessions(extension)).toEqual(ids.slice(1));
  platform.clock.advance(600);
  const last = await open(extension);
  expect((await liveSessions(extension)).slice(-1)).toEqual([last.id]);
});

test('ended and expired sessions are removed eventually', async () => {
  const extension = await newExtension();
  for (let count = 0; count < 22; count += 1) await open(extension);
  const rows = await platform.database.query('select from phone_sessions where extension_id = $1', [
    extension.id,
  ]);
  expect(rows).toHaveLength(20);
});

test('a session is ended once, only by an ADMIN or the owner of its extension', async () => {
  const extension = await ownExtension();
  const { id } = await open(extension);
  const path = `${extension.path}/${id}`;
  const colleague = await account.addUser();
  const otherAdmin = (await createAccount(platform)).admin;
  expect((await colleague.client.delete(path)).status).toBe(403);
  expect((await otherAdmin.client.delete(path)).status).toBe(404);
  expect((await account.admin.client.delete(`${(await newExtension()).path}/${id}`)).status).toBe(404);
  expect((await owner.client.delete(`${extension.path}/${randomUUID()}`)).status).toBe(404);
  expect(await liveSessions(extension)).toEqual([id]);

  expect((await owner.client.delete(path)).status).toBe(204);
  expect(await liveSessions(extension)).toEqual([]);
  expect((await owner.client.delete(path)).status).toBe(404);
  const other = await open(extension, owner);
  expect((await account.admin.client.delete(`${extension.path}/${other.id}`)).status).toBe(204);
});

test('an expired session cannot be ended', async () => {
  const extension = await newExtension();
  const { id } = await open(extension);
  platform.clock.advance(600);
  expect((await account.admin.client.delete(`${extension.path}/${id}`)).status).toBe(404);
});

test('opening and ending a session are in the audit log', async () => {
  const extension = await ownExtension();
  const { id, username, expires_at } = await open(extension, owner);
  await account.admin.client.delete(`${extension.path}/${id}`);
  const entries = await platform.database.query(
    `select action, actor_email, before, after from audit_entries
      where target_type = 'extension' and target_id = $1 and action like 'phoneSession.%' order by id`,
    [String(extension.id)],
  );
  const recorded = { session_id: id, username, expires_at };
  expect(entries).toEqual([
    { action: 'phoneSession.open', actor_email: owner.email, before: null, after: recorded },
    { action: 'phoneSession.end', actor_email: account.admin.email, before: recorded, after: null },
  ]);
});

test('sessions end when their user’s role or password changes or the user is removed', async () => {
  const extension = await newExtension();
  const people = [
    await account.addUser('ADMIN'),
    await account.addUser('ADMIN'),
    await account.addUser('ADMIN'),
  ];
  const sessions: string[] = [];
  for (const person of people) sessions.push((await open(extension, person)).id);
  const kept = (await open(extension)).id;
  const [demoted, changed, removed] = people;
  await account.admin.client.patch('/users', { uuid: demoted?.uuid, role: 'USER' });
  expect(await liveSessions(extension)).toEqual([...sessions.slice(1), kept]);
  await changed?.client.post('/users/change-password', {
    oldPassword: 'correct horse battery',
    newPassword: 'another horse battery',
  });
  expect(await liveSessions(extension)).toEqual([...sessions.slice(2), kept]);
  await account.admin.client.delete(`/users/${removed?.uuid}`);
  expect(await liveSessions(extension)).toEqual([kept]);
});

test('accepts no body or an empty object, and counts against the user’s limit', async () => {
  const extension = await newExtension();
  expect((await account.admin.client.post(extension.path, {})).status).toBe(200);
  expect((await account.admin.client.post(extension.path, { ttl: 1 })).status).toBe(422);
  const { headers } = await account.admin.client.post(extension.path);
  expect(Number(headers['ratelimit-limit'])).toBe(60_000);
});

test('sessions work without relays and addresses; a partial relay configuration is rejected', async () => {
  const bare = await startPlatform();
  try {
    const { admin } = await createAccount(bare);
    const { body } = await admin.client.post('/extensions', extensionBody());
    const session = await admin.client.post(`/extensions/${body.id}/phone-sessions`);
    expect(session.body).toMatchObject({ websocket_urls: [], ice_servers: [] });
  } finally {
    await bare.close();
  }
  const half = { ...platform.config, TURN_SECRET: undefined };
  await expect(wireApi(half)).rejects.toThrow('TURN_URLS and TURN_SECRET must be set together');
});
