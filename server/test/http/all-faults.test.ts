import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../harness/client.ts';
import { extensionBody } from '../harness/fixtures/extensions.ts';
import { createAccount, type Person, signupBody, type TestAccount } from '../harness/people.ts';
import { type SharedPlatform, sharedPlatform, startPlatform } from '../harness/platform.ts';
import { waitForRedis } from '../harness/wait-for-redis.ts';

let platform: SharedPlatform;
let account: TestAccount;
let other: TestAccount;
let admin: Person;
let user: Person;

beforeAll(async () => {
  platform = await sharedPlatform();
  account = await createAccount(platform);
  other = await createAccount(platform);
  admin = account.admin;
  user = await account.addUser();
});

const faultsOf = ({ status, body }: Answer): string[] => {
  expect([status, body.error?.errorCode]).toEqual([422, 'VALIDATION_ERROR']);
  const details: { path: string; code: string; message: string }[] = body.error.details;
  expect(body.error.message).toBe(details.map(({ message }) => message).join(' '));
  return details.map(({ path, code }) => `${path} ${code}`).toSorted();
};

test('bug: ERR-04 a charge reports its amount and its due date together', async () => {
  const body = { amount: 1, dueDate: '2020-01-01', paymentMethod: 'PIX', description: 'x' };
  expect(faultsOf(await admin.client.post('/charges', body))).toEqual([
    'amount too_small',
    'dueDate out_of_range',
  ]);
});

describe('users', () => {
  test('bug: ERR-04 a new user reports its form and a duplicate e-mail together', async () => {
    for (const email of [admin.email.toUpperCase(), other.admin.email]) {
      const body = { name: '', email, password: '1', phone: '1', role: 'X' };
      expect(faultsOf(await admin.client.post('/users', body))).toEqual([
        'email duplicate',
        'name too_small',
        'password too_small',
        'phone invalid',
        'role invalid_value',
      ]);
    }
    const unknown = { name: 'A', email: 'free@empresa.test', password: '1', phone: '1', role: 'USER' };
    expect(faultsOf(await admin.client.post('/users', unknown))).toEqual([
      'password too_small',
      'phone invalid',
    ]);
  });

  test('bug: ERR-04 a change reports its form and a duplicate e-mail together', async () => {
    const both = ['email duplicate', 'phone invalid'];
    const change = (client: Person['client'], body: object) =>
      client.patch('/users', { phone: '1', ...body });
    expect(faultsOf(await change(user.client, { email: admin.email }))).toEqual(both);
    expect(faultsOf(await change(admin.client, { uuid: user.uuid, email: other.admin.email }))).toEqual(both);
    // The user's own address is not a duplicate.
    const own = { uuid: user.uuid, email: user.email };
    expect(faultsOf(await change(admin.client, own))).toEqual(['phone invalid']);
  });

  test('ERR-04 ERR-07 a change does not reveal which address a foreign user has', async () => {
    const foreign = other.admin;
    for (const email of [foreign.email, admin.email, 'free@empresa.test'])
      for (const uuid of [foreign.uuid, '019a8f00-0000-7000-8000-000000000000', 'x'])
        expect(faultsOf(await admin.client.patch('/users', { uuid, email, phone: '1' }))).toEqual([
          'phone invalid',
        ]);
    const byUser = await user.client.patch('/users', { uuid: admin.uuid, email: admin.email, phone: '1' });
    expect(faultsOf(byUser)).toEqual(['phone invalid']);
  });
});

describe('extensions', () => {
  test('bug: ERR-04 EXT-12 a new extension reports a used number and a short password together', async () => {
    const { body: first } = await admin.client.post('/extensions', extensionBody());
    const wrong = extensionBody({ ramal: first.ramal, senha: 'x' });
    for (const answer of [
      await admin.client.post('/extensions', wrong),
      await admin.client.patch('/extensions', wrong),
    ])
      expect(faultsOf(answer)).toEqual(['ramal duplicate', 'senha too_small']);
    expect(faultsOf(await other.admin.client.post('/extensions', wrong))).toEqual(['senha too_small']);
    const alike = extensionBody({ ramal: '87654321', senha: '87654321', first_name: '' });
    expect(faultsOf(await admin.client.post('/extensions', alike))).toEqual([
      'first_name too_small',
      'senha invalid',
    ]);
  });

  test('bug: ERR-04 ERR-07 a change reports them together, and nothing of a foreign extension', async () => {
    const [{ body: one }, { body: two }] = [
      await admin.client.post('/extensions', extensionBody()),
      await admin.client.post('/extensions', extensionBody()),
    ];
    const change = { id: one.id, ramal: two.ramal, gravar_audio: 7 };
    expect(faultsOf(await admin.client.patch('/extensions', change))).toEqual([
      'gravar_audio invalid_value',
      'ramal duplicate',
    ]);
    const kept = { ...change, ramal: one.ramal };
    expect(faultsOf(await admin.client.patch('/extensions', kept))).toEqual(['gravar_audio invalid_value']);
    for (const id of [one.id, 999_999_999, 'x'])
      expect(faultsOf(await other.admin.client.patch('/extensions', { ...change, id }))).toEqual([
        'gravar_audio invalid_value',
      ]);
  });
});

test('ERR-04 SIGNUP-04 SIGNUP-20 an invalid sign-up also reports duplicates, 20 times per hour and address', async () => {
  const limited = await startPlatform();
  waitForRedis(limited);
  const taken = await createAccount(limited);
  const client = limited.client();
  const duplicate = signupBody({ domain: taken.domain.toUpperCase(), email: taken.admin.email });
  const signUp = (body: object) => client.post('/accounts/signup', { ...duplicate, ...body });
  const invalid = { password: '1', phone: '1', crm: 'X' };
  const form = ['crm invalid_value', 'password too_small', 'phone invalid'];
  const duplicates = ['domain duplicate', 'email duplicate'];
  expect(faultsOf(await signUp({ ...invalid, email: 'x' }))).toEqual(
    [...form, 'domain duplicate', 'email invalid_format'].toSorted(),
  );
  for (let request = 1; request < 20; request += 1)
    expect(faultsOf(await signUp(invalid))).toEqual([...form, ...duplicates].toSorted());
  expect(faultsOf(await signUp(invalid))).toEqual(form);
  expect(faultsOf(await signUp({}))).toEqual(duplicates);
  await limited.close();
});

test('bug: ERR-04 an integration reports its form, its settings and a duplicate gateway together', async () => {
  const save = (body: object) => admin.client.patch('/integrations', body);
  const { body: one } = await save({ gateway: 'one' });
  await save({ gateway: 'two' });
  const settings = { webhook: true, metadata: { webhookUrl: 'x', webhookTypes: ['channel-sneeze'] } };
  const ofSettings = ['metadata.webhookTypes invalid', 'metadata.webhookUrl invalid'];
  expect(faultsOf(await save({ id: one.id, gateway: 'two', ...settings }))).toEqual([
    'gateway duplicate',
    ...ofSettings,
  ]);
  expect(faultsOf(await save({ id: one.id, gateway: 'two', ...settings, webhookConstraint: 5 }))).toEqual([
    'gateway duplicate',
    ...ofSettings,
    'webhookConstraint invalid_type',
  ]);
  // Another user's gateway is not a duplicate.
  const foreign = { id: one.id, gateway: 'two', webhookConstraint: 5 };
  expect(faultsOf(await user.client.patch('/integrations', foreign))).toEqual([
    'webhookConstraint invalid_type',
  ]);
});

test('bug: ERR-04 a call reports an invalid number with its other errors', async () => {
  const wrong = { extension: 'x', metadata: 5 };
  const others = ['extension invalid_format', 'metadata invalid_type'];
  expect(faultsOf(await admin.client.post('/calls', { ...wrong, called: 'abc' }))).toEqual([
    'called invalid_number',
    ...others,
  ]);
  expect(faultsOf(await admin.client.post('/dialer', { ...wrong, phone: 'abc' }))).toEqual([
    ...others,
    'phone invalid_number',
  ]);
  const ambiguous = { called: '51 98765-4321', caller: '51 98765-4321' };
  expect(faultsOf(await admin.client.post('/calls', { ...wrong, ...ambiguous }))).toEqual([
    'called ambiguous_number',
    'caller ambiguous_number',
    ...others,
  ]);
});

test('bug: ERR-04 a replay reports its window with its other errors', async () => {
  const { body: integration } = await admin.client.patch('/integrations', { gateway: 'replayed' });
  const body = { since: '2020-01-02T00:00:00Z', until: '2020-01-01T00:00:00Z', types: ['channel-sneeze'] };
  const answer = await admin.client.post(`/integrations/${integration.id}/replay`, body);
  expect(faultsOf(answer)).toEqual(['since too_small', 'types.0 invalid_value', 'until too_small']);
});

test('ERR-04 a body of another type is refused by its form alone', async () => {
  const routes: ['post' | 'patch', string][] = [
    ['post', '/charges'],
    ['post', '/users'],
    ['patch', '/users'],
    ['post', '/extensions'],
    ['patch', '/extensions'],
    ['patch', '/integrations'],
    ['post', '/calls'],
    ['post', '/dialer'],
    ['post', '/accounts/signup'],
  ];
  const headers = { 'content-type': 'application/json' };
  for (const [method, path] of routes)
    for (const raw of ['[]', '"x"', '5', '{"id":{},"email":[],"ramal":{},"dueDate":1,"metadata":[]}']) {
      const { status } = await admin.client[method](path, undefined, { raw, headers });
      expect(status, `${method} ${path} ${raw}`).toBe(422);
    }
});
