import { afterAll, beforeAll, expect, test } from 'vitest';
import { logIn, signupBody } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
});
afterAll(() => platform.close());

const signUp = (changes: Record<string, unknown> = {}) =>
  platform.client().post('/accounts/signup', signupBody(changes));

const accountsNamed = (name: unknown) =>
  platform.database.query('select * from accounts where name = $1', [name]);

/** Expects a validation error with exactly these paths, and that nothing was created. */
async function expectRefused(changes: Record<string, unknown>, ...paths: string[]): Promise<void> {
  const body = signupBody(changes);
  const answer = await platform.client().post('/accounts/signup', body);
  expect(answer.status, answer.text).toBe(422);
  expect(answer.body.error.errorCode).toBe('VALIDATION_ERROR');
  expect(answer.body.error.details.map((fault: { path: string }) => fault.path)).toEqual(paths);
  expect(await accountsNamed(body.organization_name)).toEqual([]);
}

test('SIGNUP-01 SIGNUP-16 a sign-up with all seven fields creates an account and returns 201', async () => {
  const body = signupBody({ crm: 'HubSpot', user_quantity: '11-20' });
  const answer = await platform.client().post('/accounts/signup', body);

  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({ status: 201, message: expect.stringMatching(/e-mail/) });
  expect(await accountsNamed(body.organization_name)).toEqual([
    expect.objectContaining({
      domain: body.domain,
      email: body.email,
      phone: body.phone,
      crm: 'HubSpot',
      user_quantity: '11-20',
      status: 'pending',
      mode: 'test',
    }),
  ]);
});

test('SIGNUP-02 ERR-05 requires each of the seven fields and reports all that are missing', async () => {
  const fields = Object.keys(signupBody());
  expect(fields).toHaveLength(7);
  for (const field of fields) await expectRefused({ [field]: undefined }, field);
  await expectRefused(Object.fromEntries(fields.map((field) => [field, undefined])), ...fields);
});

test('SIGNUP-03 rejects a domain without the service suffix', async () => {
  const wrong = ['empresa.test', 'empresa.disca.test.br', 'empresadisca.test', 'disca.test', '.disca.test'];
  for (const domain of wrong) await expectRefused({ domain }, 'domain');
});

test('SIGNUP-04 ERR-05 rejects a taken domain and e-mail in any case, both in one response', async () => {
  const taken = signupBody({ domain: 'tomada.disca.test', email: 'tomada@empresa.test' });
  expect((await platform.client().post('/accounts/signup', taken)).status).toBe(201);

  await expectRefused({ domain: 'tomada.disca.test' }, 'domain');
  await expectRefused({ domain: 'Tomada.DISCA.test' }, 'domain');
  await expectRefused({ email: 'tomada@empresa.test' }, 'email');
  await expectRefused({ email: 'TOMADA@empresa.test' }, 'email');
  await expectRefused({ domain: 'tomada.disca.test', email: 'tomada@empresa.test' }, 'domain', 'email');
});

test('SIGNUP-04 exactly one of several concurrent sign-ups with one domain or e-mail succeeds', async () => {
  const together = async (changes: Record<string, unknown>) => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => signUp(changes)));
    return answers.map(({ status }) => status).toSorted();
  };
  expect(await together({ domain: 'corrida.disca.test' })).toEqual([201, 422, 422, 422, 422, 422]);
  expect(await together({ email: 'corrida@empresa.test' })).toEqual([201, 422, 422, 422, 422, 422]);
});

test('SIGNUP-05 user_quantity is one of five ranges', async () => {
  for (const quantity of ['1-5', '6-10', '11-20', '21-50', '50+']) {
    expect((await signUp({ user_quantity: quantity })).status).toBe(201);
  }
  for (const quantity of ['', '1', '5-1', '50', '51+', ' 1-5', 5, null, ['1-5']]) {
    await expectRefused({ user_quantity: quantity }, 'user_quantity');
  }
});

test('SIGNUP-06 SIGNUP-07 crm accepts exactly the default list', async () => {
  const names =
    'ActiveCampaign Agendor AppFacilita ExactSalesSpotter Groner HubSpot Kommo MoskitCRM NectarCRM Pipedrive Piperun ' +
    'Ploomes RDCRM Salesflow Salesforce SharpSpring Zendesk ZohoCRM Outros';
  for (const crm of names.split(' ')) expect((await signUp({ crm })).status, crm).toBe(201);
  for (const crm of ['outros', 'Outro', 'Bitrix24', '', 7, null]) await expectRefused({ crm }, 'crm');
  expect(platform.config.CRM_NAMES).toEqual(names.split(' '));
});

test('SIGNUP-06 SIGNUP-07 an operator’s crm list replaces the default', async () => {
  const other = await startPlatform({ CRM_NAMES: 'Bitrix24, Outros', RATE_LIMIT_SCALE: '1000' });
  try {
    const ask = (crm: string) => other.client().post('/accounts/signup', signupBody({ crm }));
    expect((await ask('Bitrix24')).status).toBe(201);
    expect((await ask('Outros')).status).toBe(201);
    expect((await ask('HubSpot')).status).toBe(422);
  } finally {
    await other.close();
  }
});

test('SIGNUP-08 a domain is lower-cased, then one label of 2 to 40 letters, digits, hyphens', async () => {
  const longest = `${'a'.repeat(39)}9`;
  for (const label of ['Padaria-Central', 'ab', '7-', longest]) {
    const body = signupBody({ domain: `${label}.disca.test` });
    expect((await platform.client().post('/accounts/signup', body)).status, label).toBe(201);
    const [account] = await accountsNamed(body.organization_name);
    expect(account?.domain).toBe(`${label.toLowerCase()}.disca.test`);
  }
  for (const label of ['a', `${longest}x`, 'duas.partes', 'com_traço', 'com espaço', 'ção', 'a%2eb', '']) {
    await expectRefused({ domain: `${label}.disca.test` }, 'domain');
  }
});

test('SIGNUP-09 ERR-05 rejects a password of 7 characters and accepts one of 8', async () => {
  await expectRefused({ password: '1234567' }, 'password');
  expect((await signUp({ password: 'eight-88' })).status).toBe(201);
});

test('USER-23 rejects a common password at sign-up', async () => {
  for (const password of ['12345678', 'PASSWORD', 'iloveyou']) await expectRefused({ password }, 'password');
});

test('ERR-05 rejects an invalid phone at sign-up', async () => {
  for (const phone of ['', '123', 'telefone', '55119876543210987', 123, null]) {
    await expectRefused({ phone }, 'phone');
  }
});

test('SIGNUP-31 a given name becomes that of the first user, and an empty one is refused', async () => {
  const body = signupBody({ name: ' Ana Souza ' });
  expect((await platform.client().post('/accounts/signup', body)).status).toBe(201);
  const users = await platform.database.query(
    'select u.name, a.name as account from users u join accounts a on a.id = u.account_id where u.email = $1',
    [body.email],
  );
  expect(users).toEqual([{ name: 'Ana Souza', account: body.organization_name }]);
  await expectRefused({ name: ' ' }, 'name');
});

test('SIGNUP-32 returns the address of the terms of use, or null', async () => {
  const termsUrl = 'https://disca.example/terms';
  const other = await startPlatform({ TERMS_URL: termsUrl });
  expect((await other.client().get('/accounts/signup')).body.termsUrl).toBe(termsUrl);
  await other.close();
  expect((await platform.client().get('/accounts/signup')).body.termsUrl).toBeNull();
});

test('SIGNUP-14 SIGNUP-18 the first user is an ADMIN named after the organization', async () => {
  const body = signupBody({ organization_name: 'Padaria Central & Filhos' });
  expect((await platform.client().post('/accounts/signup', body)).status).toBe(201);
  await platform.database.query(`update accounts set status = 'active' where domain = $1`, [body.domain]);

  const { client } = await logIn(platform, String(body.email));
  expect((await client.get('/users/me')).body).toMatchObject({
    name: 'Padaria Central & Filhos',
    email: body.email,
    phone: body.phone,
    role: 'ADMIN',
  });
  expect((await client.list('/users')).body).toHaveLength(1);
});
