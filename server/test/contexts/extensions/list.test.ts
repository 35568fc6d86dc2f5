import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { extensionBody, markRegistered } from '../../harness/fixtures/extensions.ts';
import { createAccount, type Person, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';

interface Listed {
  id: number;
  ramal: string;
  bina: string;
  first_name: string;
  last_name: string;
  email_address: string;
  gravar_audio: number;
  registered: boolean;
  registered_at: string | null;
}

let platform: Platform;
let account: TestAccount;
let admin: Person;
let user: Person;

const people = [
  ['4000', 'Ana', 'Souza', '551140000000', 1],
  ['4001', 'Beto', 'Souza', '', 0],
  ['4002', 'ana', 'Lima', '551140000002', 0],
  ['5003', 'Caio', 'Lima', '551150000003', 1],
  ['50', 'Davi', 'Reis', '', 0],
] as const;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' });
  account = await createAccount(platform);
  admin = account.admin;
  user = await account.addUser();
  const other = await createAccount(platform);
  for (const [ramal, first_name, last_name, bina, gravar_audio] of people) {
    const body = extensionBody({
      ramal,
      first_name,
      last_name,
      bina,
      gravar_audio,
      email_address: `${ramal}@a.test`,
    });
    await admin.client.post('/extensions', body);
    await other.admin.client.post('/extensions', body);
  }
});
afterAll(() => platform.close());

const list = (filter?: object, query?: Record<string, string>) =>
  admin.client.list('/extensions', filter, query);
const all = async (): Promise<Listed[]> => (await list()).body;
const ramais = async (filter: object) => (await list(filter)).body.map(({ ramal }: Listed) => ramal);

/** Expects exactly the extensions that satisfy the predicate, which must be some but not all. */
async function expectExactly(where: object, predicate: (extension: Listed) => boolean): Promise<void> {
  const allExtensions = await all();
  const expected = allExtensions.filter(predicate).map(({ ramal }) => ramal);
  expect(expected.length).toBeGreaterThan(0);
  expect(expected.length).toBeLessThan(allExtensions.length);
  const answer = await list({ where });
  expect(answer.body.map(({ ramal }: Listed) => ramal)).toEqual(expected);
  expect(answer.headers['x-total-count']).toBe(String(expected.length));
}

describe('extension list', () => {
  test('EXT-06 AUTH-14 is an array of the account’s extensions, newest first, for every role', async () => {
    for (const { client } of [admin, user]) {
      const { status, body, headers } = await client.get('/extensions');
      expect([status, Array.isArray(body), headers['x-total-count']]).toEqual([200, true, '5']);
      expect(body.map(({ ramal }: Listed) => ramal)).toEqual(people.map(([ramal]) => ramal).toReversed());
    }
    const [first] = await all();
    expect((await user.client.get(`/extensions/${first?.id}`)).status).toBe(200);
  });

  test('EXT-06 LIST-02 equality on a field selects exactly the matching extensions', async () => {
    await expectExactly({ ramal: '4001' }, ({ ramal }) => ramal === '4001');
    await expectExactly({ first_name: 'Ana' }, ({ first_name }) => /^ana$/i.test(first_name));
    await expectExactly({ first_name: { eq: 'Ana' } }, ({ first_name }) => first_name === 'Ana');
    await expectExactly({ last_name: 'Lima' }, ({ last_name }) => last_name === 'Lima');
    await expectExactly({ email_address: '50@a.test' }, ({ ramal }) => ramal === '50');
    await expectExactly({ bina: '551150000003' }, ({ bina }) => bina === '551150000003');
    await expectExactly({ bina: '+55 11 5000-0003' }, ({ bina }) => bina === '551150000003');
    await expectExactly({ gravar_audio: 1 }, ({ gravar_audio }) => gravar_audio === 1);
    expect(await ramais({ where: { ramal: '40' } })).toEqual([]);
    expect(await ramais({ where: { domain: account.domain } })).toHaveLength(5);
    expect(await ramais({ where: { domain: 'other.disca.test' } })).toEqual([]);
  });

  test('bug: EXT-01 LIST-02 an id selects its extension as a number or as a string', async () => {
    const [first] = await all();
    const { id, ramal } = first as Listed;
    expect(await ramais({ where: { id } })).toEqual([ramal]);
    expect(await ramais({ where: { id: String(id) } })).toEqual([ramal]);
    expect(await ramais({ where: { id: { inq: [String(id)] } } })).toEqual([ramal]);
    expect((await list({ where: { id: 'x' } })).status).toBe(400);
  });

  test('LIST-08 LIST-09 operators select exactly the matching extensions', async () => {
    await expectExactly({ ramal: { like: '40%' } }, ({ ramal }) => ramal.startsWith('40'));
    await expectExactly({ first_name: { ilike: 'ana' } }, ({ first_name }) => /^ana$/i.test(first_name));
    await expectExactly({ ramal: { inq: ['50', '4002'] } }, ({ ramal }) => ['50', '4002'].includes(ramal));
    await expectExactly({ bina: { neq: '' } }, ({ bina }) => bina !== '');
    await expectExactly(
      { or: [{ last_name: 'Reis' }, { and: [{ last_name: 'Lima' }, { gravar_audio: 1 }] }] },
      ({ ramal }) => ramal === '50' || ramal === '5003',
    );
  });

  test('LIST-01 LIST-17 accepts where, include, order, offset and limit, and returns the total', async () => {
    const order = 'ramal ASC';
    expect(await ramais({ order })).toEqual(['4000', '4001', '4002', '50', '5003']);
    const filter = { where: { ramal: { like: '4%' } }, include: [], order, offset: 1, limit: 1 };
    const page = await list(filter);
    expect([page.body.map(({ ramal }: Listed) => ramal), page.headers['x-total-count']]).toEqual([
      ['4001'],
      '3',
    ]);
    const beside = await list({ order }, { limit: '2', offset: '2' });
    expect([beside.body.map(({ ramal }: Listed) => ramal), beside.headers['x-total-count']]).toEqual([
      ['4002', '50'],
      '5',
    ]);
    for (const limit of ['1000', '1001']) expect((await list(undefined, { limit })).body).toHaveLength(5);
    expect((await list({ fields: ['ramal', 'domain'], limit: 1 })).body).toEqual([
      { ramal: '50', domain: account.domain },
    ]);
  });

  test('LIST-17 returns at most 1000', async () => {
    const many = await createAccount(platform);
    const { keyRing } = platform.api.base;
    await platform.database.query(
      `insert into extensions (account_id, ramal, senha_sealed, ha1, first_name, last_name, email_address,
                               record_calls, created_at, updated_at)
       select $1, n::text, $2, repeat('0', 32), '', '', '', false, now(), now() from generate_series(1000, 2100) n`,
      [many.id, keyRing.seal('extension-password', 'uma-senha-qualquer')],
    );
    const { body, headers } = await many.admin.client.get('/extensions');
    expect([body.length, headers['x-total-count']]).toEqual([1000, '1101']);
    const rest = await many.admin.client.get('/extensions', { query: { offset: '1000' } });
    expect(new Set([...body, ...rest.body].map(({ id }: Listed) => id)).size).toBe(1101);
  });

  test('LIST-13 LIST-20 names the nearest field to an unknown one, and exposes no secret', async () => {
    for (const [where, message] of [
      [{ ramall: '1' }, /`ramal`/],
      [{ senha: 'x' }, /Unknown field/],
      [{ ha1: 'x' }, /Unknown field/],
      [{ user_id: 1 }, /Unknown field/],
    ] as const) {
      const { status, body } = await list({ where });
      expect([status, body.error.errorCode, body.error.message]).toEqual([
        400,
        'INVALID_FILTER',
        expect.stringMatching(message),
      ]);
    }
    expect((await list({ order: 'senha ASC' })).status).toBe(400);
  });
});

describe('registered', () => {
  test('EXT-16 returns whether a softphone is registered and since when, until it expires', async () => {
    const [extension] = await all();
    if (!extension) throw new Error('There is no extension.');
    const at = await markRegistered(platform, extension.id, 60);
    const presence = { registered: true, registered_at: at.toISOString() };
    expect((await admin.client.get(`/extensions/${extension.id}`)).body).toMatchObject(presence);
    await expectExactly({ registered: true }, ({ id }) => id === extension.id);
    await expectExactly({ registered_at: { exists: true } }, ({ id }) => id === extension.id);
    const changed = await admin.client.patch('/extensions', { id: extension.id, gravar_audio: 0 });
    expect(changed.body).toMatchObject(presence);
    platform.clock.advance(60);
    const later = (await admin.client.get(`/extensions/${extension.id}`)).body;
    expect(later).toMatchObject({ registered: false, registered_at: null });
    expect(await ramais({ where: { registered: true } })).toEqual([]);
  });
});

describe('include', () => {
  test('LIST-23 include user adds the owner, or null, to the requested fields', async () => {
    await platform.database.query('update users set email_verified = true where uuid = $1', [user.uuid]);
    const [extension] = await all();
    await admin.client.patch('/extensions', { id: extension?.id, email_address: user.email.toUpperCase() });
    for (const include of ['user', ['user']]) {
      const listed = (await list({ include, fields: ['ramal'], limit: 2 })).body;
      expect(listed).toEqual([
        {
          ramal: extension?.ramal,
          user: expect.objectContaining({ uuid: user.uuid, email: user.email, role: 'USER' }),
        },
        { ramal: expect.any(String), user: null },
      ]);
    }
    expect((await list({ limit: 1 })).body[0]).not.toHaveProperty('user');
    expect((await user.client.list('/extensions', { include: 'user' })).body[0].user.uuid).toBe(user.uuid);
  });

  test('LIST-23 any other include is rejected', async () => {
    for (const include of ['users', 'price', ['user', 'calls'], { relation: 'user' }]) {
      const { status, body } = await list({ include });
      expect([status, body.error.errorCode]).toEqual([400, 'INVALID_FILTER']);
    }
  });
});
