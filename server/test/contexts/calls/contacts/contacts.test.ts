import { beforeAll, expect, test } from 'vitest';
import { type CallRow, insertCalls } from '../../../harness/fixtures/call-rows.ts';
import { createAccount, type Person, type TestAccount } from '../../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../../harness/platform.ts';
import { mostRowsRead } from '../../../harness/rows-read.ts';

let platform: SharedPlatform;
let account: TestAccount;

beforeAll(async () => {
  platform = await sharedPlatform();
  account = await createAccount(platform);
});

const save = (person: Person, body: object) => person.client.request('PUT', '/contacts', { body });
const lookUp = async ({ client }: Person, number: string) =>
  (await client.get('/contacts/lookup', { query: { number } })).body.contact;
const find = async ({ client }: Person, q?: string) => {
  const { body } = await client.get('/contacts', { query: q === undefined ? {} : { q } });
  return body.data.map(({ name, number }: Record<string, string>) => name ?? number);
};

async function addCall(change: Partial<CallRow>, owner?: Person, of = account): Promise<string> {
  const [id = ''] = await insertCalls(platform.database, of, [
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

test('CONTACT-01 CONTACT-05 creates, changes and removes a contact', async () => {
  const { admin } = account;
  const made = await save(admin, { number: '+55 11 98765-4321', name: ' Marina Alves ', deal: '' });
  expect([made.status, made.body]).toEqual([
    200,
    expect.objectContaining({ number: '5511987654321', name: 'Marina Alves', deal: null, source: 'manual' }),
  ]);
  const changed = await save(admin, { number: '5511987654321', name: 'Marina Alves', deal: 'D-1' });
  expect(changed.body).toMatchObject({ id: made.body.id, deal: 'D-1', createdAt: made.body.createdAt });
  expect((await save(admin, changed.body)).body).toEqual(changed.body);
  expect((await admin.client.get(`/contacts/${made.body.id}`)).body).toEqual(changed.body);
  const entries = await admin.client.list('/audit', { where: { targetId: made.body.id } }, { page: '1' });
  expect(entries.body.data.map(({ action }: { action: string }) => action)).toEqual([
    'contact.save',
    'contact.save',
  ]);
  expect(entries.text).not.toMatch(/Marina|98765|D-1/);
  for (const body of [
    { number: '5511987654321', name: null, deal: ' ' },
    { number: '12', name: 'Ana', deal: null },
    { number: '5511987654321', name: 'a'.repeat(201), deal: null },
    { number: '5511987654321', name: 'two\nlines', deal: null },
    { number: '5511987654321', name: 'Ana' },
  ])
    expect((await save(admin, body)).status, JSON.stringify(body)).toBe(422);
  const user = await account.addUser();
  expect((await user.client.delete(`/contacts/${made.body.id}`)).status).toBe(403);
  expect((await admin.client.delete(`/contacts/${made.body.id}`)).status).toBe(204);
  for (const id of [made.body.id, crypto.randomUUID(), 'none']) {
    expect((await admin.client.get(`/contacts/${id}`)).status).toBe(404);
    expect((await admin.client.delete(`/contacts/${id}`)).status).toBe(404);
  }
});

test('CONTACT-02 lists contacts by name, and finds them by words and numbers', async () => {
  const of = await createAccount(platform);
  const { admin } = of;
  await save(admin, { number: '5511987650001', name: 'Zélia Prado', deal: 'Negócio ABC-77' });
  await save(admin, { number: '5521987650002', name: 'Ana Lima', deal: null });
  await save(admin, { number: '14155550132', name: null, deal: 'Order 9' });
  expect(await find(admin)).toEqual(['Ana Lima', 'Zélia Prado', '14155550132']);
  const expected: [string, string[]][] = [
    ['zel', ['Zélia Prado']],
    ['PRA zelia', ['Zélia Prado']],
    ['negocio', ['Zélia Prado']],
    ['abc-7', ['Zélia Prado']],
    ['rado', []],
    ['ana prado', []],
    ['(21) 98765-0002', ['Ana Lima']],
    ['+55 21', ['Ana Lima']],
    ['98765', ['Ana Lima', 'Zélia Prado']],
    ['9876', ['Ana Lima', 'Zélia Prado']],
    ['1415', ['14155550132']],
    ['order', ['14155550132']],
    ["' or 1=1 --", []],
  ];
  for (const [q, names] of expected) expect(await find(admin, q), q).toEqual(names);
  const pages: string[] = [];
  let query: Record<string, string> = {};
  for (;;) {
    const { body, headers } = await admin.client.get('/contacts', {
      query: { ...query, filter: JSON.stringify({ limit: 2 }) },
    });
    pages.push(...body.data.map(({ number }: { number: string }) => number));
    if (body.meta.nextCursor === undefined) break;
    expect(headers.link).toContain('rel="next"');
    query = { cursor: body.meta.nextCursor };
  }
  expect(pages).toEqual(['5521987650002', '5511987650001', '14155550132']);
  const filtered = await admin.client.list('/contacts', { where: { name: 'ana lima' }, fields: ['number'] });
  expect(filtered.body.data).toEqual([{ number: '5521987650002' }]);
});

/** Returns the shown texts of all contacts that a search finds, page by page. */
async function walk({ client }: Person, filter: object, q?: string): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { filter: JSON.stringify(filter), ...(q && { q }), ...(cursor && { cursor }) };
    const { status, body, text } = await client.get('/contacts', { query });
    expect(status, text).toBe(200);
    found.push(...body.data.map(({ name, deal }: Record<string, string | null>) => name ?? deal));
    cursor = body.meta.nextCursor;
  } while (cursor !== undefined && found.length < 100);
  return found;
}

test('CONTACT-15 sorts names without case and accents, and contacts without a name last, by deal', async () => {
  const { admin } = await createAccount(platform);
  const texts: [name: string | null, deal: string | null][] = [
    ['Zélia Prado', 'A-1'],
    [null, 'Order 9'],
    ['ana lima', null],
    ['Álvaro Dias', null],
    ['Ana Costa', null],
    [null, 'Óleo 8'],
    ['Ângela Reis', null],
    ['ana lima', 'B-2'],
  ];
  for (const [n, [name, deal]] of texts.entries())
    expect((await save(admin, { number: `551197900000${n}`, name, deal })).status).toBe(200);
  const sorted = [
    ...['Álvaro Dias', 'Ana Costa', 'ana lima', 'ana lima', 'Ângela Reis', 'Zélia Prado'],
    ...['Óleo 8', 'Order 9'],
  ];
  for (const limit of [1, 3, 100]) {
    expect(await walk(admin, { limit })).toEqual(sorted);
    expect(await walk(admin, { limit, order: 'name DESC' })).toEqual(sorted.toReversed());
  }
});

test('CONTACT-15 a page in the middle of many contacts reads few of them', async () => {
  const { id, admin } = await createAccount(platform);
  const count = 20_000;
  await platform.database.query(
    `insert into contacts (account_id, id, number, name, source, created_at, updated_at)
     select $1, gen_random_uuid(), '55119' || 80000000 + n, 'Cliente ' || lpad(n::text, 6, '0'), 'import', now(), now()
       from generate_series(0, $2::int - 1) n`,
    [id, count],
  );
  await platform.database.query('analyze contacts');
  const contacts = { table: 'contacts', names: /\bcontacts\b/ };
  const read = (request: Parameters<typeof mostRowsRead>[3]) => mostRowsRead(platform, id, contacts, request);
  const page = async (filter: object, query: Record<string, string> = {}) =>
    await admin.client.list('/contacts', { limit: 50, ...filter }, query);
  expect(await read(() => page({}))).toBeLessThan(100);
  for (const order of ['name ASC', 'name DESC']) {
    const middle = { order, offset: count / 2 };
    const { nextCursor: cursor } = (await page(middle)).body.meta;
    expect(await read(() => page(middle, { cursor })), order).toBeLessThan(100);
    const { data } = (await page(middle, { cursor })).body;
    expect(data[0].name).toBe(order === 'name ASC' ? 'Cliente 010050' : 'Cliente 009949');
  }
  // An order without an index shows that the reads are counted.
  expect(await read(() => page({ order: 'deal' }))).toBeGreaterThanOrEqual(count);
});

test('CONTACT-16 pages of a search by first letters are sorted by name, and a cursor belongs to its search', async () => {
  const { admin } = await createAccount(platform);
  const names = ['ária nobre', 'Bruno Araújo', 'ARTUR Lima', 'Caio Prado', 'Zeca Ártico', 'Aramis'];
  for (const [n, name] of names.entries())
    await save(admin, { number: `551197910000${n}`, name, deal: null });
  const filter = { limit: 2 };
  const found = ['Aramis', 'ária nobre', 'ARTUR Lima', 'Bruno Araújo', 'Zeca Ártico'];
  expect(await walk(admin, filter, 'ar')).toEqual(found);
  expect(await walk(admin, filter, '9791')).toEqual([...found.slice(0, 4), 'Caio Prado', 'Zeca Ártico']);
  expect(await walk(admin, filter, 'ar 9791')).toEqual(found);
  const { nextCursor } = (await admin.client.list('/contacts', filter, { q: 'ar' })).body.meta;
  const others: Record<string, string>[] = [{}, { q: 'a' }];
  for (const other of others) {
    const refused = await admin.client.list('/contacts', filter, { ...other, cursor: nextCursor });
    expect([refused.status, refused.body.error?.details]).toMatchObject([400, [{ code: 'INVALID_CURSOR' }]]);
  }
});

test('CONTACT-03 CONTACT-05 a USER sees and saves the contacts of own calls, and with calls all of the account', async () => {
  const [user, colleague] = [await account.addUser(), await account.addUser()];
  const [own, asked, other] = ['5511971110001', '5511971110002', '5511971110003'];
  await addCall({ to: own }, user);
  await addCall({ from: asked, to: '551130304040' }, user);
  await addCall({ to: other }, colleague);
  const ids: string[] = [];
  for (const number of [own, asked, other])
    ids.push((await save(account.admin, { number, name: `N${number}`, deal: null })).body.id);
  const seen = async () => ({
    list: (await find(user, 'N55119711')).length,
    gets: await Promise.all(ids.map(async (id) => (await user.client.get(`/contacts/${id}`)).status)),
    found: await Promise.all(
      [own, asked, other].map(async (number) => (await lookUp(user, number)) !== null),
    ),
  });
  expect(await seen()).toEqual({ list: 2, gets: [200, 200, 404], found: [true, true, false] });
  expect((await save(user, { number: own, name: 'Bia', deal: null })).body.name).toBe('Bia');
  // The same for a number with a contact and for one without.
  const refused = await Promise.all(
    [other, '5511971119999'].map((number) => save(user, { number, name: 'Bia', deal: null })),
  );
  expect(refused.map(({ status, body }) => [status, body.error.errorCode])).toEqual([
    [403, 'ACCESS_DENIED'],
    [403, 'ACCESS_DENIED'],
  ]);
  expect((await lookUp(account.admin, other)).name).toBe(`N${other}`);
  const permissions = { calls: 'all', recordings: 'own', money: false, webhooks: true, supervision: false };
  await account.admin.client.request('PUT', `/users/${user.uuid}/permissions`, { body: permissions });
  expect(await seen()).toMatchObject({ gets: [200, 200, 200], found: [true, true, true] });
  expect((await save(user, { number: other, name: 'Bia', deal: null })).status).toBe(200);
  const foreign = (await createAccount(platform)).admin;
  expect(await lookUp(foreign, own)).toBeNull();
  expect((await foreign.client.get(`/contacts/${ids[0]}`)).status).toBe(404);
});

test('CONTACT-03 CONTACT-05 CONTACT-06 tokens need the scopes of calls', async () => {
  const withScopes = async (scopes: string[]) => {
    const { body } = await account.admin.client.post('/users/accessTokens', {
      ttl: 600,
      name: 'CRM',
      scopes,
    });
    return { client: platform.client(body.id) } as Person;
  };
  const [reader, placer] = [await withScopes(['calls:read']), await withScopes(['calls:place'])];
  const contact = { number: '5511972220001', name: 'Ana', deal: null };
  expect((await save(reader, contact)).body.error.errorCode).toBe('TOKEN_SCOPE_MISSING');
  expect((await save(placer, contact)).status).toBe(200);
  expect((await lookUp(reader, contact.number)).name).toBe('Ana');
  expect((await placer.client.get('/contacts')).status).toBe(403);
});

test('CONTACT-04 finds the contact of a number in any notation', async () => {
  await save(account.admin, { number: '5511973330001', name: 'Caio', deal: null });
  for (const number of ['5511973330001', '+55 (11) 97333-0001', '011973330001', 'tel:+5511973330001'])
    expect((await lookUp(account.admin, number))?.name, number).toBe('Caio');
  for (const number of ['5511973330002', '1000', 'anonymous', ''])
    expect(await lookUp(account.admin, number)).toBeNull();
});

test('CONTACT-10 a call has the contact of its other party', async () => {
  const [user, colleague] = [await account.addUser(), await account.addUser()];
  const number = '5511973330005';
  const ids: Record<string, string> = {
    outbound: await addCall({ to: number }, user),
    inbound: await addCall({ from: number, to: '1000' }, user),
    internal: await addCall({ from: '1000', to: number }, user),
    other: await addCall({ to: '5511973330006' }, user),
  };
  for (const type of ['inbound', 'internal'])
    await platform.database.query('update calls set call_type = $2 where id = $1', [ids[type], type]);
  const contactOf = async (type: string, { client }: Person = user) =>
    (await client.get(`/calls/${ids[type]}`)).body.contact;
  for (const type of Object.keys(ids)) expect(await contactOf(type), type).toBeNull();
  const { body } = await save(account.admin, { number, name: 'Caio Prado', deal: 'D-7' });
  for (const type of ['outbound', 'inbound']) expect(await contactOf(type), type).toEqual(body);
  for (const type of ['internal', 'other']) expect(await contactOf(type), type).toBeNull();
  expect(await contactOf('inbound', account.admin)).toEqual(body);
  expect((await colleague.client.get(`/calls/${ids.inbound}`)).status).toBe(404);
  // Another account's contact of the number is not shown.
  const foreign = await createAccount(platform);
  const [theirs = ''] = await insertCalls(platform.database, foreign, [
    { startedAt: platform.clock.now(), to: number },
  ]);
  expect((await foreign.admin.client.get(`/calls/${theirs}`)).body.contact).toBeNull();
  await account.admin.client.delete(`/contacts/${body.id}`);
  expect(await contactOf('outbound')).toBeNull();
});

test('CONTACT-06 imports the valid rows and reports every row', async () => {
  const { client } = account.admin;
  await save(account.admin, { number: '5511974440001', name: 'Old', deal: null });
  const contacts = [
    { number: '(11) 97444-0001', name: 'New', deal: 'D-2' },
    { number: '+5511974440002', name: ' Rui ' },
    { number: '5511974440002', name: 'Twice' },
    { number: 'none', name: 'Ana' },
    { number: '5511974440003' },
    { number: '5511974440004', name: 'a'.repeat(201) },
  ];
  const expected = [
    { outcome: 'updated', number: '5511974440001' },
    { outcome: 'created', number: '5511974440002' },
    { outcome: 'refused', path: 'number', code: 'duplicate' },
    { outcome: 'refused', path: 'number', code: 'invalid_number' },
    { outcome: 'refused', path: 'name', code: 'required' },
    { outcome: 'refused', path: 'name', code: 'too_big' },
  ];
  const tried = await client.post('/contacts/import', { contacts, dryRun: true });
  expect([tried.status, tried.body.results]).toMatchObject([200, expected]);
  expect(await lookUp(account.admin, '5511974440002')).toBeNull();
  expect((await client.post('/contacts/import', { contacts })).body.results).toMatchObject(expected);
  expect(await lookUp(account.admin, '5511974440001')).toMatchObject({ name: 'New', source: 'import' });
  expect(await lookUp(account.admin, '5511974440002')).toMatchObject({ name: 'Rui', deal: null });
  const again = await client.post('/contacts/import', { contacts: contacts.slice(0, 2) });
  expect(again.body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'unchanged',
    'unchanged',
  ]);
  const entries = await client.list('/audit', { where: { action: 'contact.import' } }, { page: '1' });
  expect(entries.body.data).toMatchObject([{ after: { created: 1, updated: 1 } }]);
  const many = Array.from({ length: 501 }, (_, n) => ({ number: `55119${80_000_000 + n}`, name: 'A' }));
  expect((await client.post('/contacts/import', { contacts: many })).status).toBe(422);
  const user = await account.addUser();
  expect((await user.client.post('/contacts/import', { contacts })).status).toBe(403);
});

test('CONTACT-08 an account has no more contacts than its budget', async () => {
  const { id, admin } = await createAccount(platform);
  await platform.database.query(`insert into account_budgets values ($1, 'contacts', 2)`, [id]);
  const rows = ['5511975550001', '5511975550002', '5511975550003'].map((number) => ({ number, name: 'A' }));
  const refused = await admin.client.post('/contacts/import', { contacts: rows });
  expect([refused.status, refused.body.error.errorCode]).toEqual([409, 'ACCOUNT_LIMIT']);
  expect(await find(admin)).toEqual([]);
  expect((await admin.client.post('/contacts/import', { contacts: rows.slice(0, 2) })).status).toBe(200);
  expect((await save(admin, { number: '5511975550003', name: 'A', deal: null })).status).toBe(409);
  expect((await save(admin, { number: '5511975550001', name: 'B', deal: null })).status).toBe(200);
  const { budgets } = (await admin.client.get('/accounts/limits')).body;
  expect(budgets).toContainEqual({ resource: 'contacts', limit: 2, isSet: true, used: 2 });
});
