import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
});
afterAll(() => platform.close());

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const read = async () => (await account.admin.client.get('/accounts')).body;

test('ACCT-02 ACCT-04 every user of the account can read all its fields', async () => {
  const shown = {
    uuid: account.uuid,
    domain: account.domain,
    name: expect.any(String),
    email: account.admin.email,
    phone: '5511987654321',
    mode: 'test',
    timezone: 'America/Sao_Paulo',
    balanceLowThreshold: 10,
    requestHandling: 'strict',
    encryptedPhonesOnly: false,
    mediaFromAnyAddress: false,
    usersSee: 'own',
    secondFactorRequired: false,
    liveRequestedAt: null,
    createdAt: instant,
    updatedAt: instant,
  };
  const user = await account.addUser('USER');
  for (const { client } of [account.admin, user]) {
    const answer = await client.get('/accounts');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(shown);
  }
});

test('ACCT-01 ACCT-02 PATCH accepts name, email and phone and returns the changed account', async () => {
  const before = await read();
  platform.clock.advance(5);
  const change = { name: 'Padaria Nova', email: 'contato@padaria.test', phone: '551133334444' };
  const answer = await account.admin.client.patch('/accounts', change);

  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ ...before, ...change, updatedAt: answer.body.updatedAt });
  expect(Date.parse(answer.body.updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.updatedAt) + 5_000);
  expect(await read()).toEqual(answer.body);
});

test('ACCT-01 each field can be changed separately', async () => {
  for (const [field, value] of Object.entries({
    name: 'Só o nome',
    email: 'so@empresa.test',
    phone: '5521998765432',
  })) {
    const before = await read();
    const { body } = await account.admin.client.patch('/accounts', { [field]: value });
    expect(body).toEqual({ ...before, [field]: value, updatedAt: body.updatedAt });
  }
});

test('ACCT-01 the account’s e-mail is independent of its users’ e-mails', async () => {
  await account.admin.client.patch('/accounts', { email: 'faturas@empresa.test' });
  const me = (await account.admin.client.get('/users/me')).body;
  expect(me.email).toBe(account.admin.email);
  expect(me.emailVerified).toBe(true);
});

test('ACCT-01 an invalid value returns 422 and changes nothing', async () => {
  const before = await read();
  const wrong = [
    { name: '' },
    { name: true },
    { name: 'a\u0000b' },
    { email: 'ana' },
    { phone: '123' },
    { name: null },
  ];
  for (const change of wrong) {
    const answer = await account.admin.client.patch('/accounts', { email: 'outra@empresa.test', ...change });
    expect(answer.status, JSON.stringify(change)).toBe(422);
    expect(answer.body.error.details[0].path).toBe(Object.keys(change)[0]);
  }
  expect(await read()).toEqual(before);
});

test('ACCT-04 PATCH accepts the time zone and the threshold; an unknown zone returns 422', async () => {
  const change = { timezone: 'America/Manaus', balanceLowThreshold: 25.5 };
  const changed = await account.admin.client.patch('/accounts', change);
  expect(changed.body).toMatchObject(change);
  expect(await read()).toMatchObject(change);
  expect((await account.admin.client.patch('/accounts', { timezone: 'UTC' })).body.timezone).toBe('UTC');

  for (const timezone of ['America/Sao Paulo', 'Mars/Olympus', '', '+03:00', 'America/../Manaus', 3]) {
    const answer = await account.admin.client.patch('/accounts', { timezone });
    expect(answer.status, String(timezone)).toBe(422);
    expect(answer.body.error.details[0].path).toBe('timezone');
  }
  expect((await read()).timezone).toBe('UTC');
});

test('ACCT-04 the threshold is exact reais, 0 or more, with at most two decimals', async () => {
  for (const balanceLowThreshold of [0, 0.01, 0.1, 1.15, 999_999.99, 1_000_000]) {
    const { body } = await account.admin.client.patch('/accounts', { balanceLowThreshold });
    expect(body.balanceLowThreshold).toBe(balanceLowThreshold);
  }
  for (const balanceLowThreshold of [-0.01, 0.001, 1_000_000.01, '10,00', null]) {
    expect((await account.admin.client.patch('/accounts', { balanceLowThreshold })).status).toBe(422);
  }
});

test('AUTH-15 a USER reads the account but gets 403 from PATCH, which changes nothing', async () => {
  const user = await account.addUser('USER');
  const before = await read();
  const answer = await user.client.patch('/accounts', { name: 'Minha empresa' });
  expect(answer.status).toBe(403);
  expect(answer.body.error.errorCode).toBe('ACCESS_DENIED');
  expect(await read()).toEqual(before);
});

test('ACCT-01 changing one account does not affect another', async () => {
  const other = await createAccount(platform);
  const before = (await other.admin.client.get('/accounts')).body;
  await account.admin.client.patch('/accounts', { name: 'Vizinha' });
  expect((await other.admin.client.get('/accounts')).body).toEqual(before);
});

test('EXT-26 an ADMIN can require encrypted phones, and a USER cannot', async () => {
  const changed = await account.admin.client.patch('/accounts', { encryptedPhonesOnly: true });
  expect(changed).toMatchObject({ status: 200, body: { encryptedPhonesOnly: true } });
  expect((await account.admin.client.get('/accounts')).body).toMatchObject({ encryptedPhonesOnly: true });
  const user = await account.addUser('USER');
  expect((await user.client.patch('/accounts', { encryptedPhonesOnly: false })).status).toBe(403);
  for (const encryptedPhonesOnly of ['sometimes', 2, {}])
    expect((await account.admin.client.patch('/accounts', { encryptedPhonesOnly })).status).toBe(422);
  const off = await account.admin.client.patch('/accounts', { encryptedPhonesOnly: false });
  expect(off.body).toMatchObject({ encryptedPhonesOnly: false });
});

test('EXT-29 an ADMIN can allow audio from any address, and a USER cannot', async () => {
  const changed = await account.admin.client.patch('/accounts', { mediaFromAnyAddress: true });
  expect(changed).toMatchObject({ status: 200, body: { mediaFromAnyAddress: true } });
  expect((await account.admin.client.get('/accounts')).body).toMatchObject({ mediaFromAnyAddress: true });
  const user = await account.addUser('USER');
  expect((await user.client.patch('/accounts', { mediaFromAnyAddress: false })).status).toBe(403);
  for (const mediaFromAnyAddress of ['sometimes', 2, {}])
    expect((await account.admin.client.patch('/accounts', { mediaFromAnyAddress })).status).toBe(422);
  const off = await account.admin.client.patch('/accounts', { mediaFromAnyAddress: false });
  expect(off.body).toMatchObject({ mediaFromAnyAddress: false });
});
