import { beforeAll, expect, test } from 'vitest';
import { extensionBody, nextBody } from '../../harness/fixtures/extensions.ts';
import { createAccount, type TestAccount } from '../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../harness/platform.ts';

let platform: SharedPlatform;

beforeAll(async () => {
  platform = await sharedPlatform();
});

const next = async ({ admin }: TestAccount, changes: Record<string, unknown> = {}) =>
  await admin.client.post('/extensions/next-available', nextBody(changes));
const take = ({ admin }: TestAccount, ramal: string) =>
  admin.client.post('/extensions', extensionBody({ ramal }));

test('EXT-05 accepts the body of POST without ramal and returns the whole extension', async () => {
  const account = await createAccount(platform);
  const sent = nextBody({ bina: '551140028922', gravar_audio: 1 });
  const { status, body } = await account.admin.client.post('/extensions/next-available', sent);
  expect(status).toBe(200);
  expect(body).toEqual({
    ...sent,
    id: expect.any(Number),
    ramal: '1000',
    domain: account.domain,
    auto_answer: 0,
    registered: false,
    registered_at: null,
  });
  expect((await account.admin.client.get(`/extensions/${body.id}`)).body).toEqual(body);
  expect((await next(account, { ramal: '1005' })).body.ramal).toBe('1001');
  const given = await account.admin.client.post('/extensions/next-available', extensionBody());
  expect([given.status, given.body.error.details[0].path]).toEqual([422, 'ramal']);
  expect((await next(account, { senha: 'curta' })).status).toBe(422);
  expect((await next(account, { last_name: undefined })).status).toBe(422);
});

test('EXT-11 uses the lowest free number of the account from 1000 up, including gaps', async () => {
  const account = await createAccount(platform);
  for (const ramal of ['10', '999', '1000', '1001', '1003', '01002', '0999', '10000', '99999999'])
    await take(account, ramal);
  const got: string[] = [];
  for (let times = 0; times < 3; times += 1) got.push((await next(account)).body.ramal);
  expect(got).toEqual(['1002', '1004', '1005']);
  const { id } = (await account.admin.client.list('/extensions', { where: { ramal: '1001' } })).body[0];
  await account.admin.client.delete(`/extensions/${id}`);
  expect((await next(account)).body.ramal).toBe('1001');
  expect((await next(await createAccount(platform))).body.ramal).toBe('1000');
});

test('EXT-11 continues with five digits after 9999', async () => {
  const account = await createAccount(platform);
  await platform.database.query(
    `insert into extensions (account_id, ramal, senha_sealed, ha1, first_name, last_name, email_address,
                             record_calls, created_at, updated_at)
     select $1, n::text, 'sealed', repeat('0', 32), '', '', '', false, now(), now() from generate_series(1000, 9999) n`,
    [account.id],
  );
  expect((await next(account)).body.ramal).toBe('10000');
});

test('EXT-11 concurrent requests all succeed with different numbers, without a gap', async () => {
  const account = await createAccount(platform);
  await take(account, '1003');
  const colleague = await account.addUser('ADMIN');
  const both = [account, { ...account, admin: colleague }];
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => next(both[index % 2] ?? account)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
  const numbers = answers.map(({ body }) => Number(body.ramal)).sort((a, b) => a - b);
  const expected = Array.from({ length: 31 }, (_, index) => 1000 + index).filter((number) => number !== 1003);
  expect(numbers).toEqual(expected);
});

test('EXT-20 returns the next free number to an ADMIN without reserving it', async () => {
  const account = await createAccount(platform);
  const preview = async () => (await account.admin.client.get('/extensions/next-available')).body;
  expect(await preview()).toEqual({ ramal: '1000' });
  expect(await preview()).toEqual({ ramal: '1000' });
  expect((await account.admin.client.get('/extensions')).body).toEqual([]);
  await take(account, '1001');
  expect((await next(account)).body.ramal).toBe('1000');
  expect(await preview()).toEqual({ ramal: '1002' });
  const { client } = await account.addUser('USER');
  expect((await client.get('/extensions/next-available')).status).toBe(403);
});
