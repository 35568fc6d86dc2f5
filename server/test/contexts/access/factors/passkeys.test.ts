import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPasskey } from '../../../harness/factors.ts';
import { createAccount, type Person, password, type TestAccount } from '../../../harness/people.ts';
import { type Platform, startPlatform } from '../../../harness/platform.ts';

const origin = 'http://console.disca.test';
let platform: Platform;
let account: TestAccount;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
});
afterAll(() => platform.close());

type Passkey = ReturnType<typeof createPasskey>;

async function register({ client }: Person, passkey: Passkey) {
  const { body: options } = await client.post('/users/me/factors/passkey/start');
  const registration = passkey.register(options);
  return {
    registration,
    answer: await client.post('/users/me/factors/passkey', { name: 'Laptop', registration }),
  };
}

async function addPerson(): Promise<Person & { passkey: Passkey }> {
  const person = await account.addUser();
  const passkey = createPasskey(origin);
  const { answer } = await register(person, passkey);
  expect([answer.status, answer.body.recoveryCodes.length]).toEqual([200, 10]);
  return { ...person, passkey };
}

const challenge = async () => (await platform.client().post('/console/session/passkey')).body;
const enter = ({ email }: Person, passkey: object) =>
  platform.client().post('/console/session', { email, password, passkey });

test('FACTOR-07 logs in to the console with a passkey', async () => {
  const person = await addPerson();
  const { email, passkey } = person;
  const asked = await platform.client().post('/console/session', { email, password });
  expect(asked.body.error.details).toMatchObject([
    { path: 'otp', code: 'recovery_code' },
    { path: 'passkey', code: 'passkey' },
  ]);
  const entered = await enter(person, passkey.answer(await challenge()));
  expect([entered.status, entered.headers['set-cookie']]).toEqual([
    204,
    expect.stringContaining('__Host-disca='),
  ]);
  const { body } = await person.client.get('/users/me/factors');
  expect(body.factors).toMatchObject([{ kind: 'passkey', name: 'Laptop', lastUsedAt: expect.any(String) }]);
});

test('FACTOR-07 accepts an answer once, and within 5 minutes', async () => {
  const person = await addPerson();
  const answer = person.passkey.answer(await challenge());
  expect((await enter(person, answer)).status).toBe(204);
  expect((await enter(person, answer)).body.error.errorCode).toBe('SECOND_FACTOR_FAILED');
  const late = await challenge();
  platform.clock.advance(301);
  expect((await enter(person, person.passkey.answer(late))).status).toBe(401);
  expect((await enter(person, person.passkey.answer(await challenge()))).status).toBe(204);
});

test.each<[string, (options: { challenge: string; rpId: string }, own: Passkey) => object]>([
  ['of an unknown passkey', (options) => createPasskey(origin).answer(options)],
  [
    'under the name of a known one',
    (options, own) => ({ ...createPasskey(origin).answer(options), id: own.answer(options).id }),
  ],
  ['for another host', (options, own) => own.answer({ ...options, rpId: 'elsewhere.test' })],
  [
    'to a challenge that we did not issue',
    (options, own) => own.answer({ ...options, challenge: 'azEuZTMwLmFiYw' }),
  ],
])('FACTOR-07 refuses an answer %s', async (_name, answerOf) => {
  const person = await addPerson();
  const refused = await enter(person, answerOf(await challenge(), person.passkey));
  expect([refused.status, refused.body.error.errorCode]).toEqual([401, 'SECOND_FACTOR_FAILED']);
});

test('FACTOR-07 refuses the answer of a page of another origin', async () => {
  const person = await account.addUser();
  const { answer } = await register(person, createPasskey('http://elsewhere.test'));
  expect([answer.status, answer.body.error.details[0].code]).toEqual([422, 'invalid_registration']);
});

test('FACTOR-07 adds a passkey once, and only for the user who started', async () => {
  const [ana, eva] = [await account.addUser(), await account.addUser()];
  const { registration } = await register(ana, createPasskey(origin));
  for (const { client } of [ana, eva])
    expect((await client.post('/users/me/factors/passkey', { name: 'Copy', registration })).status).toBe(422);
  expect((await eva.client.get('/users/me/factors')).body.factors).toEqual([]);
  const { body } = await ana.client.post('/users/me/factors/passkey/start');
  expect(body.excludeCredentials).toMatchObject([{ id: registration.id }]);
});

test('FACTOR-07 FACTOR-12 proves the identity with a passkey', async () => {
  const { client, passkey } = await addPerson();
  platform.clock.advance(601);
  expect((await client.post('/users/me/factors/recovery-codes')).status).toBe(403);
  const proof = { password, passkey: passkey.answer(await challenge()) };
  expect((await client.post('/users/me/proof', proof)).status).toBe(204);
  expect((await client.post('/users/me/factors/recovery-codes')).status).toBe(200);
});
