import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../harness/client.ts';
import { createAccount, type TestAccount } from '../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../harness/platform.ts';

let platform: SharedPlatform;
let account: TestAccount;

beforeAll(async () => {
  platform = await sharedPlatform();
  account = await createAccount(platform);
});

const json = { 'content-type': 'application/json' };
const admin = () => account.admin.client;

function expectProblem(
  answer: Pick<Answer, 'status' | 'headers' | 'body'>,
  status: number,
  errorCode: string,
): void {
  expect(answer.body).toEqual({
    error: {
      statusCode: status,
      errorCode,
      name: expect.stringMatching(/^[A-Za-z]+$/),
      message: expect.stringMatching(/\S/),
      ...(answer.body.error.details ? { details: expect.any(Array) } : {}),
    },
  });
  expect(answer.status).toBe(status);
  expect(answer.headers['x-request-id']).toMatch(/^[\w.-]{8,64}$/);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
}

describe('error responses', () => {
  test('ERR-01 ERR-03 every error has the same body with its status, and a request id', async () => {
    const client = admin();
    const raw = (text: string, type = 'application/json') =>
      client.patch('/accounts', undefined, { raw: text, headers: { 'content-type': type } });
    expectProblem(await raw('{'), 400, 'MALFORMED_REQUEST');
    expectProblem(await client.get('/users', { query: { filter: '{' } }), 400, 'INVALID_FILTER');
    expectProblem(await client.get('/users', { query: { fliter: '{}' } }), 400, 'UNKNOWN_PARAMETER');
    expectProblem(await client.as(undefined).get('/users/me'), 401, 'AUTHORIZATION_REQUIRED');
    expectProblem(await client.as('x').get('/users/me'), 401, 'INVALID_TOKEN');
    expectProblem(await (await account.addUser()).client.patch('/accounts', {}), 403, 'ACCESS_DENIED');
    expectProblem(await client.delete('/users/accessTokens/unknown1'), 404, 'NOT_FOUND');
    expectProblem(await client.patch('/users', { role: 'USER' }), 409, 'LAST_ADMIN');
    expectProblem(await raw('x'.repeat(70_000)), 413, 'PAYLOAD_TOO_LARGE');
    expectProblem(await raw('a=1', 'application/x-www-form-urlencoded'), 415, 'UNSUPPORTED_MEDIA_TYPE');
    expectProblem(await client.patch('/accounts', { name: '' }), 422, 'VALIDATION_ERROR');
  });

  test('ERR-03 unknown paths return 404 and unknown methods 405, in the same form', async () => {
    for (const path of [
      '/no/such/route',
      '/',
      '',
      '/USERS',
      '/users/%zz',
      '/nowhere/%00',
      '//',
      '//favicon.ico',
    ]) {
      expectProblem(await admin().get(path), 404, 'NOT_FOUND');
    }
    for (const method of ['PUT', 'PATCH', 'PROPFIND', 'TRACE']) {
      expectProblem(await admin().request(method, '/users/me'), 405, 'METHOD_NOT_ALLOWED');
    }
    // Only DELETE takes an id.
    for (const path of ['/users/%00', '/users//'])
      expectProblem(await admin().get(path), 405, 'METHOD_NOT_ALLOWED');
  });

  test('ERR-03 accepts a client’s request id if it is safe to log, else generates one', async () => {
    const idFor = async (id: string) =>
      (await admin().get('/users/me', { headers: { 'x-request-id': id } })).headers['x-request-id'];
    expect(await idFor('crm-2026-11-15.0001')).toBe('crm-2026-11-15.0001');
    for (const unfit of ['short', 'x'.repeat(65), 'has spaces in it', '{"json":true}', 'a'.repeat(7)]) {
      expect(await idFor(unfit)).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect(await idFor('x'.repeat(65))).not.toBe(await idFor('x'.repeat(65)));
  });
});

describe('on a raw connection', () => {
  /** Sends raw bytes and reads until the server closes; needed for requests that the HTTP parser rejects. */
  async function exchange(bytes: string): Promise<{ head: string; status: number; text: string }> {
    const { port } = new URL(await platform.listen());
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes));
    socket.setTimeout(10_000, () => socket.destroy(new Error('no response')));
    let received = '';
    for await (const chunk of socket) received += String(chunk);
    const [head = '', text = ''] = received.split('\r\n\r\n', 2);
    return { head, status: Number(head.split(' ')[1]), text };
  }

  test('ERR-03 requests that the HTTP parser rejects get the same form', async () => {
    const broken = {
      'not HTTP': 'hello\r\n\r\n',
      'an unknown method': 'FETCH /api/v1/users HTTP/1.1\r\nHost: a\r\n\r\n',
      'a header that is too large': `GET /api/v1/users HTTP/1.1\r\nHost: a\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`,
      'two content lengths':
        'POST /api/v1/users/login HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
    };
    for (const [kind, bytes] of Object.entries(broken)) {
      const { head, status, text } = await exchange(bytes);
      expect(status, kind).toBe(400);
      expect(head.toLowerCase(), kind).toContain('content-type: application/json; charset=utf-8');
      expect(head.toLowerCase(), kind).toMatch(/x-request-id: \S{8}/);
      expect(JSON.parse(text).error, kind).toMatchObject({
        statusCode: status,
        errorCode: 'MALFORMED_REQUEST',
      });
    }
  });

  test('ERR-03 an undecodable path gets the same form', async () => {
    const { status, text } = await exchange(
      'GET /api/v1/%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    );
    expect(status).toBe(404);
    expect(JSON.parse(text).error).toMatchObject({ statusCode: 404, errorCode: 'NOT_FOUND' });
  });
});

describe('validation', () => {
  test('ERR-04 details list every fault of the request by path, code and message', async () => {
    const body = {
      name: '',
      email: 'ana',
      password: '123',
      phone: '1',
      role: 'BOSS',
      rol: 'USER',
      locale: 'fr',
    };
    const { status, body: problem } = await admin().post('/users', body);
    expect(status).toBe(422);
    const { details, message } = problem.error;
    const codes = Object.fromEntries(
      details.map((fault: Record<string, string>) => [fault.path, fault.code]),
    );
    expect(codes).toEqual({
      name: 'too_small',
      email: 'invalid_format',
      password: 'too_small',
      phone: 'invalid',
      role: 'invalid_value',
      rol: 'unknown_field',
      locale: 'invalid_value',
    });
    for (const fault of details) {
      expect(Object.keys(fault).toSorted()).toEqual(['code', 'message', 'path']);
      expect(message).toContain(fault.message);
    }
  });

  test('ERR-04 lists all missing fields and wrong types', async () => {
    const { body } = await admin().post('/users', { name: true, role: null });
    expect(body.error.details).toEqual([
      { path: 'name', code: 'invalid_type', message: '`name` must be a string.' },
      { path: 'email', code: 'required', message: '`email` is required.' },
      { path: 'password', code: 'required', message: '`password` is required.' },
      { path: 'phone', code: 'required', message: '`phone` is required.' },
      { path: 'role', code: 'invalid_value', message: '`role` must be one of ADMIN, USER.' },
    ]);
  });

  test('ERR-05 a missing page, a duplicate e-mail, a short password and an invalid phone return 422', async () => {
    const person = {
      name: 'Ana',
      email: 'ana@erros.test',
      password: 'long enough',
      phone: '5511912345678',
      role: 'USER',
    };
    const answers = [
      await admin().get('/audit'),
      await admin().post('/users', { ...person, email: account.admin.email }),
      await admin().post('/users', { ...person, password: '1234567' }),
      await admin().post('/users', { ...person, phone: '0' }),
      await admin().post('/users', { ...person, name: undefined }),
    ];
    const paths = answers.map(({ body }) => body.error.details[0].path);
    expect(paths).toEqual(['page', 'email', 'password', 'phone', 'name']);
    for (const answer of answers) expectProblem(answer, 422, 'VALIDATION_ERROR');
  });

  test('ERR-11 a response can be sent back: read-only fields are ignored', async () => {
    const shown = (await admin().get('/accounts')).body;
    const other = { uuid: shown.uuid.replaceAll(/\d/g, '0'), domain: 'outra.disca.test', mode: 'live' };
    const times = { createdAt: '2001-01-01T00:00:00.000Z', updatedAt: null };
    const answer = await admin().patch('/accounts', { ...shown, ...other, ...times });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...shown, updatedAt: answer.body.updatedAt });

    for (const path of ['/users/me', '/users']) {
      const { body } = await admin().get(path);
      const me = Array.isArray(body) ? body.find(({ uuid }) => uuid === account.admin.uuid) : body;
      const saved = await admin().patch('/users', { ...me, createdAt: 7, lastLoginAt: null });
      expect(saved.status).toBe(200);
      expect(saved.body).toEqual({ ...me, locale: 'pt-BR', updatedAt: saved.body.updatedAt });
    }
  });

  test('ERR-11 an unknown field returns 422 and names the nearest valid one', async () => {
    const firstFault = async (body: object) => (await admin().patch('/accounts', body)).body.error.details[0];
    expect(await firstFault({ timeZone: 'UTC' })).toEqual({
      path: 'timeZone',
      code: 'unknown_field',
      message: 'Unknown field `timeZone`. Did you mean `timezone`?',
    });
    expect((await firstFault({ nme: 'x' })).message).toContain('`name`');
    expect((await firstFault({ zzzzzzzzzzzzzz: 1 })).message).toContain('Valid names: `');
    const login = await platform.client().post('/users/login', { e_mail: 'a', passwort: 'b' });
    expect(login.body.error.message).toMatch(/`email`\?.*`password`\?/);
  });

  test('ERR-11 rejects a body that is not an object', async () => {
    for (const raw of ['[]', '"text"', '7', 'null', 'true']) {
      const answer = await admin().patch('/accounts', undefined, { raw, headers: json });
      expectProblem(answer, 422, 'VALIDATION_ERROR');
    }
  });
});

describe('other accounts', () => {
  test('ERR-07 another account’s object responds byte for byte as a missing one and is in no list', async () => {
    const other = await createAccount(platform);
    const foreign = await other.addUser();
    const missing = '019a8f00-0000-7000-8000-000000000000';
    const ask = async (uuid: string) => [
      (await admin().delete(`/users/${uuid}`)).text,
      (await admin().patch('/users', { uuid, name: 'Outro' })).text,
    ];
    expect(await ask(foreign.uuid)).toEqual(await ask(missing));
    expect(await ask(foreign.uuid)).toEqual(
      Array.from({ length: 2 }, () => expect.stringContaining('NOT_FOUND')),
    );
    const tokens = [foreign.token, 'unknown1'].map((token) =>
      admin().delete(`/users/accessTokens/${token.slice(0, 8)}`),
    );
    const [theirs, nobodys] = await Promise.all(tokens);
    expect(theirs?.text).toBe(nobodys?.text);

    for (const filter of [
      undefined,
      { where: { uuid: foreign.uuid } },
      { where: { or: [{ role: 'USER' }, { role: 'ADMIN' }] } },
    ]) {
      const { body } = await admin().list('/users', filter);
      expect(body.map(({ uuid }: { uuid: string }) => uuid)).not.toContain(foreign.uuid);
    }
    expect((await foreign.client.get('/users/me')).status).toBe(200);
  });
});

describe('times', () => {
  test('ERR-10 timestamps are ISO 8601 in UTC with Z and give the correct instant', async () => {
    const before = platform.clock.now().getTime();
    const made = (await admin().post('/users/accessTokens', {})).body.created;
    await admin().patch('/accounts', { name: 'Agora' });
    const changed = (await admin().get('/accounts')).body.updatedAt;
    const audited = (await admin().list('/audit', undefined, { page: '1' })).body.data[0].at;
    const after = platform.clock.now().getTime();
    for (const time of [made, changed, audited]) {
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Date.parse(time)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(time)).toBeLessThanOrEqual(after);
    }
  });

  test('ERR-10 every timestamp in every list has that form, whatever the account’s time zone', async () => {
    await admin().patch('/accounts', { timezone: 'Asia/Tokyo' });
    const texts = await Promise.all(
      [
        admin().get('/accounts'),
        admin().get('/users/me'),
        admin().get('/users'),
        admin().get('/users/accessTokens'),
        admin().list('/audit', undefined, { page: '1' }),
      ].map(async (answer) => (await answer).text),
    );
    const times = texts.join('').match(/\d{4}-\d\d-\d\d[T ][^"]*/g) ?? [];
    expect(times.length).toBeGreaterThan(10);
    for (const time of times) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });
});

test('responses are never cached or sniffed, errors included', async () => {
  for (const path of ['/users/me', '/nowhere', '/openapi.json']) {
    const { headers } = await platform.client().get(path);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
  }
});
