import { parse } from 'csv-parse/sync';
import { beforeAll, expect, test } from 'vitest';
import { type CallRow, insertCalls } from '../../../harness/fixtures/call-rows.ts';
import { numberEvents } from '../../../harness/fixtures/events.ts';
import { createAccount, type Person, type TestAccount } from '../../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../../harness/platform.ts';

let platform: SharedPlatform;
let account: TestAccount;

const names = ['Sale', 'Callback requested', 'No interest'];

beforeAll(async () => {
  platform = await sharedPlatform();
  account = await createAccount(platform);
  const set = await account.admin.client.request('PUT', '/dispositions', { body: { names } });
  expect([set.status, set.body]).toEqual([200, { names }]);
});

async function addCall(change: Partial<CallRow> = {}, owner?: Person): Promise<string> {
  const [id = ''] = await insertCalls(platform.database, account, [
    { startedAt: platform.clock.now(), ...change },
  ]);
  if (owner) {
    await platform.database.query(
      'update calls set user_id = (select id from users where uuid = $2) where id = $1',
      [id, owner.uuid],
    );
  }
  return id;
}

const write = (person: Person, id: string, body: object) =>
  person.client.request('PUT', `/calls/${id}/note`, { body });
const empty = { disposition: null, note: null, tags: [] };

test('NOTE-01 NOTE-02 writes disposition, note and tags, and shows who wrote them', async () => {
  const id = await addCall();
  const { client } = account.admin;
  expect((await client.get(`/calls/${id}`)).body).toMatchObject({ ...empty, noted_at: null, noted_by: null });
  const written = await write(account.admin, id, {
    disposition: 'Sale',
    note: '  Wants two.\nCall on Friday. ',
    tags: ['VIP', 'vip', 'São Paulo'],
  });
  const note = { disposition: 'Sale', note: 'Wants two.\nCall on Friday.', tags: ['vip', 'são paulo'] };
  expect([written.status, written.body]).toEqual([200, note]);
  const { body } = await client.get(`/calls/${id}`);
  expect(body).toMatchObject({ ...note, noted_by: { uuid: account.admin.uuid } });
  expect(Date.parse(body.noted_at)).toBeGreaterThan(0);
  const entries = await client.list('/audit', { where: { action: 'call.note' } }, { page: '1' });
  expect(entries.body.data).toMatchObject([
    { before: { disposition: null }, after: { disposition: 'Sale' }, targetId: id },
  ]);
  expect(entries.text).not.toContain('Friday');
  expect((await write(account.admin, id, { disposition: '', note: ' ', tags: [] })).body).toEqual(empty);
});

test('NOTE-01 writes about a running call, and refuses notes that are too long', async () => {
  const id = await addCall({ status: 'answered' });
  expect((await write(account.admin, id, { ...empty, note: 'Still talking' })).status).toBe(200);
  const tooLong = [
    { ...empty, note: 'a'.repeat(4_001) },
    { ...empty, note: 'bell \u0007' },
    { ...empty, tags: ['a'.repeat(41)] },
    { ...empty, tags: Array.from({ length: 21 }, (_, n) => `tag ${n}`) },
    { note: 'without the others' },
  ];
  for (const body of tooLong)
    expect((await write(account.admin, id, body)).status, JSON.stringify(body)).toBe(422);
  expect((await account.admin.client.get(`/calls/${id}`)).body.note).toBe('Still talking');
});

test('NOTE-03 a USER writes about own calls, and with supervision about all', async () => {
  const user = await account.addUser();
  const [own, other] = [await addCall({}, user), await addCall({}, account.admin)];
  const foreign = await createAccount(platform);
  const status = async (person: Person, id: string) => (await write(person, id, empty)).status;
  const permit = async (calls: string, supervision: boolean): Promise<void> => {
    const body = { calls, recordings: 'own', money: false, webhooks: true, supervision };
    const path = `/users/${user.uuid}/permissions`;
    expect((await account.admin.client.request('PUT', path, { body })).status).toBe(200);
  };
  expect([await status(user, own), await status(user, other)]).toEqual([200, 404]);
  await permit('all', false);
  expect([await status(user, own), await status(user, other)]).toEqual([200, 403]);
  await permit('all', true);
  expect(await status(user, other)).toBe(200);
  expect(await status(foreign.admin, own)).toBe(404);
  expect(await status(account.admin, crypto.randomUUID())).toBe(404);
  expect(await status(account.admin, 'none')).toBe(404);
});

test('NOTE-03 a token needs the scope to place calls', async () => {
  const id = await addCall();
  const withScopes = async (scopes: string[]) => {
    const { body } = await account.admin.client.post('/users/accessTokens', {
      ttl: 600,
      name: 'CRM',
      scopes,
    });
    return await platform.client(body.id).request('PUT', `/calls/${id}/note`, { body: empty });
  };
  expect((await withScopes(['calls:read'])).body.error.errorCode).toBe('TOKEN_SCOPE_MISSING');
  expect((await withScopes(['calls:place'])).status).toBe(200);
});

test('NOTE-04 NOTE-07 refuses unknown dispositions, and keeps removed ones', async () => {
  const { admin } = await createAccount(platform).then((created) => {
    account = created;
    return created;
  });
  const set = (body: object) => admin.client.request('PUT', '/dispositions', { body });
  expect((await admin.client.get('/dispositions')).body).toEqual({ names: [] });
  expect((await set({ names: ['Sale', 'sale'] })).status).toBe(422);
  expect((await set({ names: ['a'.repeat(61)] })).status).toBe(422);
  expect((await set({ names: Array.from({ length: 51 }, (_, n) => `Result ${n}`) })).status).toBe(422);
  expect((await set({ names })).body).toEqual({ names });
  const user = await account.addUser();
  expect((await user.client.get('/dispositions')).body).toEqual({ names });
  expect((await user.client.request('PUT', '/dispositions', { body: { names: [] } })).status).toBe(403);
  const id = await addCall();
  const refused = await write(admin, id, { ...empty, disposition: 'Sold' });
  expect(refused.status).toBe(422);
  expect(refused.body.error.details).toMatchObject([{ path: 'disposition', code: 'unknown' }]);
  expect((await write(admin, id, { ...empty, disposition: 'Sale' })).status).toBe(200);
  expect((await set({ names: ['No interest'] })).status).toBe(200);
  const again = await write(admin, id, { ...empty, disposition: 'Sale', note: 'Confirmed' });
  expect([again.status, again.body.disposition]).toEqual([200, 'Sale']);
  expect((await write(admin, await addCall(), { ...empty, disposition: 'Sale' })).status).toBe(422);
  const { body } = await admin.client.list(
    '/audit',
    { where: { action: 'account.dispositions' } },
    { page: '1' },
  );
  expect(body.data[0]).toMatchObject({ before: { names }, after: { names: ['No interest'] } });
  await set({ names });
});

test('NOTE-05 lists, filters and exports notes', async () => {
  const [sold, tagged, plain] = [await addCall(), await addCall(), await addCall()];
  await write(account.admin, sold, {
    disposition: 'No interest',
    note: 'Bought 100% elsewhere',
    tags: ['a', 'b'],
  });
  await write(account.admin, tagged, { ...empty, tags: ['b'] });
  const within = { id: { inq: [sold, tagged, plain] } };
  const find = async (where: object): Promise<string[]> => {
    const [page, search] = [
      await account.admin.client.list('/calls', { where: { and: [within, where] } }, { page: '1' }),
      await account.admin.client.list('/calls/search', { where: { and: [within, where] } }),
    ];
    expect(search.body.data, page.text).toEqual(page.body.data);
    return page.body.data.map(({ id }: { id: string }) => id).toSorted();
  };
  const expected: [object, string[]][] = [
    [{ disposition: 'No interest' }, [sold]],
    [{ disposition: { neq: 'No interest' } }, [tagged, plain]],
    [{ disposition: null }, [tagged, plain]],
    [{ note: { ilike: '%bought 100\\%%' } }, [sold]],
    [{ note: { exists: true } }, [sold]],
    [{ tags: 'B' }, [sold, tagged]],
    [{ tags: { inq: ['a', 'c'] } }, [sold]],
    [{ tags: { nin: ['a'] } }, [tagged, plain]],
    [{ tags: { neq: 'a' } }, [tagged, plain]],
    [{ tags: { exists: false } }, [plain]],
  ];
  for (const [where, ids] of expected)
    expect(await find(where), JSON.stringify(where)).toEqual(ids.toSorted());
  const { text } = await account.admin.client.list('/calls/export', { where: within, order: 'id' });
  const rows: Record<string, string>[] = parse(text, { columns: true });
  expect(Object.keys(rows[0] ?? {}).slice(-5)).toEqual(['disposition', 'note', 'tags', 'on_hold', 'quality']);
  expect(rows.find(({ id }) => id === sold)).toMatchObject({
    disposition: 'No interest',
    note: 'Bought 100% elsewhere',
    tags: '["a","b"]',
  });
  const refused = await account.admin.client.list(
    '/calls',
    { where: { tags: { like: 'a%' } } },
    { page: '1' },
  );
  expect(refused.body.error.errorCode).toBe('INVALID_FILTER');
});

test('NOTE-06 a change is an event with the call as it is now, the same note is none', async () => {
  const id = await addCall({ metadata: { deal: 'D-1' } });
  const { client } = account.admin;
  await numberEvents(platform);
  const { nextAfter } = (await client.get('/events', { query: { limit: '500' } })).body.meta;
  const note = { disposition: 'No interest', note: 'Draft', tags: ['a'] };
  await write(account.admin, id, note);
  await write(account.admin, id, note);
  await write(account.admin, id, { ...note, note: 'Final' });
  await numberEvents(platform);
  const { body } = await client.get('/events', { query: { after: String(nextAfter), limit: '500' } });
  expect(body.data.map(({ type }: { type: string }) => type)).toEqual(['call-updated', 'call-updated']);
  for (const { data } of body.data) {
    expect(data).toMatchObject({
      ...note,
      note: 'Final',
      id,
      eventType: 'call-updated',
      hangupCause: 'NORMAL_CLEARING',
      metadata: { deal: 'D-1' },
    });
    expect(data).not.toHaveProperty('sequence');
  }
});
