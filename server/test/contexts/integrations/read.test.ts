import { afterAll, beforeAll, expect, test } from 'vitest';
import { integrationBody } from '../../harness/fixtures/integrations.ts';
import { createAccount, type Person, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
});
afterAll(() => platform.close());

const save = async ({ client }: Person, gateway: string) =>
  (await client.patch('/integrations', integrationBody({ gateway }))).body;
const pickGateways = (answer: { body: { gateway: string }[] }) => answer.body.map(({ gateway }) => gateway);

test('INTEG-03 LIST-01 LIST-17 lists the user’s integrations as an array with the total', async () => {
  const person = await account.addUser();
  for (const gateway of ['hubspot', 'pipedrive', 'kommo']) await save(person, gateway);
  const { client } = person;
  const all = await client.get('/integrations');
  expect(pickGateways(all)).toEqual(['kommo', 'pipedrive', 'hubspot']);
  expect(Number(all.headers['x-total-count'])).toBe(3);
  const filtered = await client.list('/integrations', { where: { gateway: 'pipedrive' } });
  expect(pickGateways(filtered)).toEqual(['pipedrive']);
  expect(pickGateways(await client.list('/integrations', { where: { gateway: 'unknown' } }))).toEqual([]);
  expect(pickGateways(await client.list('/integrations', { where: { gateway: { like: '%b%' } } }))).toEqual([
    'hubspot',
  ]);
  const page = await client.list('/integrations', { order: 'gateway ASC' }, { limit: '1', offset: '1' });
  expect([pickGateways(page), Number(page.headers['x-total-count'])]).toEqual([['kommo'], 3]);
  expect((await client.list('/integrations', {}, { limit: '1001' })).body).toHaveLength(3);
  const fields = await client.list('/integrations', { fields: ['gateway'], limit: 1 });
  expect(fields.body).toEqual([{ gateway: 'kommo' }]);
});

test('no role sees the integrations of others, and secrets cannot be filtered by', async () => {
  const person = await account.addUser();
  await save(person, 'private');
  for (const who of [account.admin, await account.addUser(), (await createAccount(platform)).admin]) {
    const answer = await who.client.list('/integrations', { where: { gateway: 'private' } });
    expect([answer.body, Number(answer.headers['x-total-count'])]).toEqual([[], 0]);
  }
  for (const where of [{ secret: 'x' }, { secret_sealed: 'x' }, { secretSealed: 'x' }, { userId: 1 }]) {
    expect((await person.client.list('/integrations', { where })).status).toBe(400);
  }
});

test('INTEG-09 INTEG-11 each integration has its own secret, readable only by its owner', async () => {
  const person = await account.addUser();
  const [one, two] = [await save(person, 'one'), await save(person, 'two')];
  const read = async ({ client }: Person, id: unknown) => await client.get(`/integrations/${id}/secret`);
  const first = await read(person, one.id);
  expect([first.status, first.body]).toEqual([
    200,
    { secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/), previousSecretUntil: null },
  ]);
  expect((await read(person, one.id)).body).toEqual(first.body);
  expect((await read(person, two.id)).body.secret).not.toBe(first.body.secret);
  const others = [account.admin, await account.addUser('ADMIN'), (await createAccount(platform)).admin];
  for (const who of others) {
    expect((await read(who, one.id)).status).toBe(404);
    expect((await who.client.post(`/integrations/${one.id}/secret/rotate`)).status).toBe(404);
    expect((await who.client.delete(`/integrations/${one.id}`)).status).toBe(404);
  }
  for (const id of ['x', '999999999', '0']) expect((await read(person, id)).status).toBe(404);
  expect((await read(person, one.id)).body).toEqual(first.body);

  const rows = await platform.database.query('select to_jsonb(i)::text as text from integrations i');
  expect(JSON.stringify(rows)).not.toContain('whsec_');
  expect(platform.logLines.join('\n')).not.toContain('whsec_');
  const shown = await person.client.get('/integrations');
  expect(shown.text).not.toContain('whsec_');
});

test('INTEG-11 a rotation returns a new secret, and the previous one is valid for 24 hours', async () => {
  const person = await account.addUser();
  const { id } = await save(person, 'rotated');
  const path = `/integrations/${id}/secret`;
  const { secret: old } = (await person.client.get(path)).body;
  const until = new Date(platform.clock.now().getTime() + 24 * 3600 * 1000).toISOString();
  const rotated = await person.client.post(`${path}/rotate`);
  expect([rotated.status, rotated.body]).toEqual([
    200,
    { secret: expect.stringMatching(/^whsec_/), previousSecretUntil: expect.any(String) },
  ]);
  expect(rotated.body.secret).not.toBe(old);
  expect(rotated.body.previousSecretUntil >= until).toBe(true);
  expect((await person.client.get(path)).body).toEqual(rotated.body);
  platform.clock.advance(24 * 3600 + 60);
  expect((await person.client.get(path)).body).toEqual({ ...rotated.body, previousSecretUntil: null });
  platform.clock.advance(-24 * 3600 - 60);
});

test('INTEG-13 removing an integration returns 204, and then it is gone', async () => {
  const person = await account.addUser();
  const { id } = await save(person, 'removed');
  const kept = await save(person, 'kept');
  const removed = await person.client.delete(`/integrations/${id}`);
  expect([removed.status, removed.text]).toEqual([204, '']);
  expect((await person.client.delete(`/integrations/${id}`)).status).toBe(404);
  expect((await person.client.patch('/integrations', { id, webhook: false })).status).toBe(404);
  expect((await person.client.get('/integrations')).body).toEqual([kept]);
  const again = await save(person, 'removed');
  expect(again.id).not.toBe(id);
});

test('AUTH-14 a USER manages their own integrations', async () => {
  const person = await account.addUser('USER');
  const { id } = await save(person, 'own');
  expect((await person.client.get(`/integrations/${id}/secret`)).status).toBe(200);
  expect((await person.client.post(`/integrations/${id}/secret/rotate`)).status).toBe(200);
  expect((await person.client.delete(`/integrations/${id}`)).status).toBe(204);
  expect((await platform.client().get('/integrations')).status).toBe(401);
});

test('INTEG-14 reading a secret is recorded in the audit log, and being refused is not', async () => {
  const { admin, ...own } = await createAccount(platform);
  const person = await own.addUser();
  const { id } = await save(person, 'hubspot');
  const { body } = await person.client.get(`/integrations/${id}/secret`);
  expect((await admin.client.get(`/integrations/${id}/secret`)).status).toBe(404);
  const where = { action: 'integration.reveal-secret' };
  const entries = await admin.client.list('/audit', { where }, { page: '1' });
  const entry = { targetType: 'integration', targetId: String(id), actorEmail: person.email };
  expect(entries.body.data).toMatchObject([entry]);
  expect(entries.text).not.toContain(body.secret);
});
