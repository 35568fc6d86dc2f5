import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer, RequestOptions } from '../../harness/client.ts';
import { extensionBody } from '../../harness/fixtures/extensions.ts';
import { createAccount, password, type TestAccount } from '../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../harness/platform.ts';

let platform: SharedPlatform;
let account: TestAccount;

beforeAll(async () => {
  platform = await sharedPlatform();
  account = await createAccount(platform);
});

const lenient = { headers: { prefer: 'handling=lenient' } };
const strict = { headers: { prefer: 'handling=strict' } };

const create = (options: RequestOptions = {}, extra: object = { ativo: true }, of = account) =>
  of.admin.client.post('/extensions', { ...extensionBody(), ...extra }, options);

const headersOf = ({ headers }: Answer) => [headers['preference-applied'], headers['disca-ignored']];

async function expectRefused(answer: Answer): Promise<void> {
  expect([answer.status, answer.body.error.details]).toEqual([
    422,
    [expect.objectContaining({ path: 'ativo', code: 'unknown_field' })],
  ]);
  expect(answer.headers['disca-ignored']).toBeUndefined();
}

async function makeLenient(): Promise<TestAccount> {
  const moved = await createAccount(platform);
  const { status, body } = await moved.admin.client.patch('/accounts', { requestHandling: 'lenient' });
  expect([status, body.requestHandling]).toEqual([200, 'lenient']);
  return moved;
}

describe('strict', () => {
  test('COMPAT-01 ERR-11 an unknown body field is refused by name, without effect', async () => {
    const count = async () => (await account.admin.client.get('/extensions')).headers['x-total-count'];
    const before = await count();
    const answer = await create();
    await expectRefused(answer);
    expect(headersOf(answer)).toEqual([undefined, undefined]);
    expect(await count()).toBe(before);
  });

  test('COMPAT-01 LIST-13 an unknown query parameter is refused by name', async () => {
    const answer = await account.admin.client.get('/extensions?limt=1');
    expect([answer.status, answer.body.error.errorCode]).toEqual([400, 'UNKNOWN_PARAMETER']);
    expect(answer.body.error.message).toMatch(/`limt`.*`limit`/);
  });

  test('COMPAT-01 another preference does not change the handling', async () => {
    const answer = await create({ headers: { prefer: 'respond-async, handling=relaxed' } });
    await expectRefused(answer);
    expect(answer.headers['preference-applied']).toBeUndefined();
  });
});

describe('lenient by Prefer', () => {
  test('COMPAT-02 an unknown body field is ignored and named', async () => {
    const answer = await create(lenient, { ativo: true, 'é,\n': { nested: [] } });
    expect(answer.status).toBe(200);
    expect(headersOf(answer)).toEqual(['handling=lenient', 'ativo, %C3%A9%2C%0A']);
    expect(answer.body).not.toHaveProperty('ativo');
  });

  test('COMPAT-02 unknown query parameters are ignored and named, on lists and elsewhere', async () => {
    const { client } = account.admin;
    const list = await client.get('/extensions?limit=1&_=17&access=x', lenient);
    expect([list.status, list.body.length, ...headersOf(list)]).toEqual([
      ...[200, 1, 'handling=lenient', '_, access'],
    ]);
    const me = await client.get('/users/me?_=17', lenient);
    expect([me.status, ...headersOf(me)]).toEqual([200, 'handling=lenient', '_']);
  });

  test('COMPAT-02 a body and a query are reported together, and rows by their path', async () => {
    const body = { extensions: [extensionBody(), { ...extensionBody(), cor: 1 }], total: 2 };
    const answer = await account.admin.client.post('/extensions/bulk?trace=1', body, lenient);
    expect([answer.status, answer.headers['disca-ignored']]).toEqual([200, 'extensions.1.cor, total, trace']);
  });

  test('COMPAT-02 the header stays within 1 kB', async () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`unknown${index}`, 0]));
    const answer = await create(lenient, many);
    expect(answer.status).toBe(200);
    expect(answer.headers['disca-ignored']).toMatch(/^unknown0, unknown1, .*, \.\.\.$/);
    expect(answer.headers['disca-ignored']?.length).toBeLessThanOrEqual(1_024);
  });

  test('COMPAT-02 an error of a known field is refused and still names what was ignored', async () => {
    const answer = await create(lenient, { ativo: true, gravar_audio: 7, senha: 'x' });
    expect(answer.status).toBe(422);
    const paths = answer.body.error.details.map(({ path }: { path: string }) => path);
    expect(paths.toSorted()).toEqual(['gravar_audio', 'senha']);
    expect(headersOf(answer)).toEqual(['handling=lenient', 'ativo']);
  });

  test('COMPAT-02 without unknown fields the response names none', async () => {
    expect(headersOf(await create(lenient, {}))).toEqual(['handling=lenient', undefined]);
  });

  test('COMPAT-02 unknown fields inside a filter stay an error', async () => {
    const { client } = account.admin;
    for (const filter of [
      { where: { cor: 1 } },
      { wher: {} },
      { order: 'cor' },
      { where: { ramal: { x: 1 } } },
    ]) {
      const query = { filter: JSON.stringify(filter) };
      const answer = await client.get('/extensions', { ...lenient, query });
      expect([answer.status, answer.body.error.errorCode], JSON.stringify(filter)).toEqual([
        ...[400, 'INVALID_FILTER'],
      ]);
    }
  });

  test('COMPAT-02 unknown fields inside a filter in brackets stay an error, too', async () => {
    const { client } = account.admin;
    const { body } = await create(lenient);
    const found = await client.get(`/extensions?filter[where][ramal]=${body.ramal}&_=1`, lenient);
    expect([found.body.map(({ id }: { id: number }) => id), found.headers['disca-ignored']]).toEqual([
      [body.id],
      '_',
    ]);
    for (const query of ['filter[where][cor]=1', 'filter[wher][ramal]=1', 'limit[x]=1'])
      expect((await client.get(`/extensions?${query}`, lenient)).status, query).toBeOneOf([400, 422]);
  });

  test('COMPAT-02 keys that pollute prototypes and bodies nested too deeply stay errors', async () => {
    const headers = { ...lenient.headers, 'content-type': 'application/json' };
    const send = (raw: string) => account.admin.client.patch('/accounts', undefined, { raw, headers });
    for (const raw of ['{"__proto__":{"a":1}}', '{"a":{"constructor":{"prototype":1}}}'])
      expect((await send(raw)).status, raw).toBe(400);
    expect((await send(`{"a":${'['.repeat(21)}${']'.repeat(21)}}`)).status).toBe(400);
    const answer = await send('{"constructor":1,"toString":2,"hasOwnProperty":3}');
    expect([answer.status, answer.headers['disca-ignored']]).toEqual([
      ...[200, 'constructor, toString, hasOwnProperty'],
    ]);
  });

  test('COMPAT-02 applies to a login, which has no account yet', async () => {
    const body = { email: account.admin.email, password, remember: true };
    const client = platform.client();
    expect((await client.post('/users/login', body)).status).toBe(422);
    const answer = await client.post('/users/login', body, lenient);
    expect([answer.status, ...headersOf(answer)]).toEqual([200, 'handling=lenient', 'remember']);
  });
});

describe("the account's setting", () => {
  test('COMPAT-02 is strict at first, is changed with PATCH /accounts, and is audited', async () => {
    const fresh = await createAccount(platform);
    expect((await fresh.admin.client.get('/accounts')).body.requestHandling).toBe('strict');
    const change = (requestHandling: unknown) => fresh.admin.client.patch('/accounts', { requestHandling });
    expect((await change('lenient')).body.requestHandling).toBe('lenient');
    expect((await fresh.admin.client.get('/accounts')).body.requestHandling).toBe('lenient');
    const { body } = await fresh.admin.client.list('/audit', {}, { page: '1' });
    expect(body.data[0]).toMatchObject({
      action: 'account.update',
      before: { requestHandling: 'strict' },
      after: { requestHandling: 'lenient' },
    });
    for (const wrong of ['loose', '', null, true]) expect((await change(wrong)).status).toBe(422);
    const user = await fresh.addUser('USER');
    expect((await user.client.patch('/accounts', { requestHandling: 'strict' })).status).toBe(403);
    expect((await change('strict')).body.requestHandling).toBe('strict');
  });

  test('COMPAT-02 makes requests of all its users lenient at once, and of no other account', async () => {
    const moved = await makeLenient();
    const answer = await create({}, { ativo: true }, moved);
    expect([answer.status, ...headersOf(answer)]).toEqual([200, 'handling=lenient', 'ativo']);
    const user = await moved.addUser('USER');
    const listed = await user.client.get('/extensions?_=1');
    expect([listed.status, ...headersOf(listed)]).toEqual([200, 'handling=lenient', '_']);
    await expectRefused(await create());
  });

  test('COMPAT-02 is overridden by Prefer: handling=strict', async () => {
    const moved = await makeLenient();
    const answer = await create(strict, { ativo: true }, moved);
    await expectRefused(answer);
    expect(answer.headers['preference-applied']).toBe('handling=strict');
  });

  test('COMPAT-02 does not apply to a console session, and neither does Prefer', async () => {
    const moved = await makeLenient();
    const client = platform.client();
    const login = await client.post('/console/session', { email: moved.admin.email, password });
    const cookie = String(login.headers['set-cookie']).split(';', 1)[0] ?? '';
    for (const more of [{}, lenient.headers]) {
      const headers = { cookie, 'x-disca-console': '1', ...more };
      const body = { ...extensionBody(), ativo: true };
      const answer = await client.post('/extensions', body, { headers });
      await expectRefused(answer);
      expect(answer.headers['preference-applied']).toBeUndefined();
      expect((await client.get('/extensions?_=1', { headers })).status).toBe(400);
    }
    // A token in a header is not a console session, whatever else is sent.
    const headers = { cookie, 'x-disca-console': '1' };
    expect((await create({ headers }, { ativo: true }, moved)).status).toBe(200);
  });
});
