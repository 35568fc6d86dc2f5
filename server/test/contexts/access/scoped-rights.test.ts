import { afterAll, beforeAll, expect, test } from 'vitest';
import { listOperations, listProperties, type Operation } from '../../harness/operations.ts';
import { createAccount, type Person, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;
let other: Person;
let user: Person;
const tokens: string[] = [];

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
  other = await account.addUser('ADMIN');
  user = await account.addUser();
  const wanted = { name: 'CRM', scopes: ['users', 'account'] };
  for (const path of ['/users/accessTokens', '/accounts/accessTokens'])
    tokens.push((await account.admin.client.post(path, wanted)).body.id);
});
afterAll(() => platform.close());

/** What a request does to ADMINs, by field of its body. */
const rights = ['role', 'email', 'emailVerified'];
const phone = '5511987654321';
const person = { name: 'Eva', email: 'eva@example.com', password: 'uma-senha-longa', phone };
const bodies = (): Record<string, object[]> => ({
  'POST /users': [{ ...person, role: 'ADMIN' }],
  'POST /users/invitations': [{ email: 'eva@example.com', role: 'ADMIN' }],
  'PATCH /users': [
    { uuid: user.uuid, role: 'ADMIN' },
    { uuid: other.uuid, role: 'USER' },
    { uuid: other.uuid, email: 'eva@example.com' },
    { uuid: other.uuid, emailVerified: false },
  ],
});

/** Addresses for contact and invoices; no user logs in with them. */
const exceptions = ['PATCH /accounts', 'POST /accounts/financial', 'PUT /accounts/financial'];

const state = async () =>
  JSON.stringify([
    (await account.admin.client.get('/users')).body,
    (await account.admin.client.get('/users/invitations')).body,
  ]);

/** Returns the operations whose bodies give rights, and which a token with scopes can use for an ADMIN. */
async function findHoles(operations: Operation[]): Promise<string[]> {
  const holes: string[] = [];
  for (const { name, method, path, access, scope, body } of operations) {
    const given = listProperties(body).filter(([field]) => rights.includes(field));
    const isOpen =
      access === 'PUBLIC' || scope === undefined || scope === 'full' || exceptions.includes(name);
    if (given.length === 0 || isOpen) continue;
    const tried = bodies()[name];
    if (!tried) holes.push(`${name} is not tried`);
    for (const token of tokens)
      for (const each of tried ?? []) {
        const answer = await platform.client(token).request(method, path, { body: each });
        const code = answer.body?.error?.errorCode;
        if (code !== 'TOKEN_SCOPE_MISSING') holes.push(`${name} ${JSON.stringify(each)}: ${answer.status}`);
      }
  }
  return holes;
}

test('TOKEN-26 a token with scopes can neither make an ADMIN nor take one over', async () => {
  await platform.database.query('update users set email_verified = true where uuid = $1', [other.uuid]);
  const before = await state();
  expect(await findHoles(listOperations(platform.document))).toEqual([]);
  expect(await state()).toBe(before);
});

test('TOKEN-26 an operation that gives rights and is not tried is found', async () => {
  const [audit] = listOperations(platform.document).filter(({ name }) => name === 'GET /audit');
  if (!audit) throw new Error('There is no GET /audit.');
  const planted = { ...audit, body: { properties: { role: {} } } };
  expect(await findHoles([planted])).toEqual(['GET /audit is not tried']);
});

test('TOKEN-26 a token with scopes still creates and changes USERs, and an ADMIN’s name', async () => {
  for (const [index, token] of tokens.entries()) {
    const client = platform.client(token);
    const email = `caio${index}@example.com`;
    expect((await client.post('/users', { ...person, email, role: 'USER' })).status).toBe(200);
    const changed = await client.patch('/users', { uuid: user.uuid, role: 'USER', emailVerified: true });
    expect([changed.status, changed.body.emailVerified]).toEqual([200, true]);
    const named = await client.patch('/users', { uuid: other.uuid, name: 'Bia', role: 'ADMIN' });
    expect([named.status, named.body.name]).toEqual([200, 'Bia']);
  }
});

test('TOKEN-26 a token without scopes promotes and changes an ADMIN as before', async () => {
  const promoted = await account.admin.client.patch('/users', { uuid: user.uuid, role: 'ADMIN' });
  expect([promoted.status, promoted.body.role]).toEqual([200, 'ADMIN']);
  const moved = await account.admin.client.patch('/users', { uuid: user.uuid, email: 'novo@example.com' });
  expect([moved.status, moved.body.email]).toEqual([200, 'novo@example.com']);
});
