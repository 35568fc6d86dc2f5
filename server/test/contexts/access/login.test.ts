import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPasswords } from '../../../src/contexts/access/index.ts';
import {
  createAccount,
  logIn,
  type Person,
  password,
  signupBody,
  type TestAccount,
} from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';
import { countingPasswords } from './counting-passwords.ts';

const twoWeeksSeconds = 1_209_600;
const counting = countingPasswords();
let platform: Platform;
let account: TestAccount;
let ana: Person;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' }, { passwords: counting.passwords });
  account = await createAccount(platform);
  ana = await account.addUser();
});
afterAll(() => platform.close());

describe('login', () => {
  test('AUTH-07 returns 200 with the token, its ttl, its creation time and the user’s uuid', async () => {
    const before = platform.clock.now().toISOString();
    const { status, body } = await platform.client().post('/users/login', { email: ana.email, password });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['created', 'id', 'ttl', 'userId']);
    expect(body).toMatchObject({
      id: expect.stringMatching(/^[\w-]{64}$/),
      ttl: twoWeeksSeconds,
      userId: ana.uuid,
    });
    expect(body.created >= before && body.created <= platform.clock.now().toISOString()).toBe(true);
    expect(body.created).toBe(new Date(body.created).toISOString());
  });

  test('AUTH-06 authenticates only the user who logged in', async () => {
    for (const { email, uuid } of [ana, account.admin]) {
      const { client } = await logIn(platform, email);
      expect((await client.get('/users/me')).body).toMatchObject({ uuid, email });
    }
  });

  test('AUTH-06 lasts exactly 14 days without a ttl', async () => {
    const { client } = await logIn(platform, ana.email);
    platform.clock.advance(twoWeeksSeconds - 30);
    expect((await client.get('/users/me')).status).toBe(200);
    platform.clock.advance(31);
    expect((await client.get('/users/me')).status).toBe(401);
  });

  test('AUTH-07 lasts as long as its ttl', async () => {
    const answer = await platform.client().post('/users/login', { email: ana.email, password, ttl: 60 });
    expect(answer.body.ttl).toBe(60);
    const client = platform.client(answer.body.id);
    expect((await client.get('/users/me')).status).toBe(200);
    platform.clock.advance(61);
    expect((await client.get('/users/me')).status).toBe(401);
  });

  test('AUTH-07 has the same ttl bounds as a token', async () => {
    const log = async (ttl: unknown) =>
      (await platform.client().post('/users/login', { email: ana.email, password, ttl })).status;
    for (const ttl of [-1, 60, 31_556_926, '3600', null]) expect([ttl, await log(ttl)]).toEqual([ttl, 200]);
    for (const ttl of [0, 59, 31_556_927, -2, 60.5, '59', '1h'])
      expect([ttl, await log(ttl)]).toEqual([ttl, 422]);
  });

  test('accepts an e-mail in any case', async () => {
    expect(
      (await platform.client().post('/users/login', { email: ana.email.toUpperCase(), password })).status,
    ).toBe(200);
  });

  test('updates lastLoginAt', async () => {
    platform.clock.advance(3600);
    const { body } = await platform.client().post('/users/login', { email: ana.email, password });
    const me = await platform.client(body.id).get('/users/me');
    expect(me.body.lastLoginAt).toBe(body.created);
  });

  test('of a blocked account is rejected like a wrong password', async () => {
    const other = await createAccount(platform);
    await platform.database.query(`update accounts set status = 'blocked' where id = $1`, [other.id]);
    const refused = await platform.client().post('/users/login', { email: other.admin.email, password });
    expect([refused.status, refused.body.error.errorCode]).toEqual([401, 'LOGIN_FAILED']);
  });
});

describe('failed login', () => {
  const unknown = { email: 'unknown@empresa.test', password };
  const wrong = () => ({ email: ana.email, password: 'not the password' });

  test('AUTH-08 returns identical bytes for an unknown e-mail and a wrong password', async () => {
    const [anonymous, guesser] = [platform.client(), platform.client()];
    const first = await anonymous.post('/users/login', unknown);
    const second = await guesser.post('/users/login', wrong());
    expect([first.status, first.body.error.errorCode]).toEqual([401, 'LOGIN_FAILED']);
    expect(second.text).toBe(first.text);
    const { 'x-request-id': _first, date: _date, ...headers } = first.headers;
    expect(second.headers).toMatchObject(headers);
  });

  test('AUTH-08 computes exactly one hash for an unknown e-mail and for a wrong password', async () => {
    expect(await counting.during(() => platform.client().post('/users/login', unknown))).toBe(1);
    expect(await counting.during(() => platform.client().post('/users/login', wrong()))).toBe(1);
  });

  test('AUTH-08 takes equally long for an unknown e-mail and a wrong password', async () => {
    const real = await startPlatform({ RATE_LIMIT_SCALE: '1000' }, { passwords: createPasswords() });
    try {
      const { admin } = await createAccount(real);
      const timed = async (body: object) => {
        // Advances past the longest hold-off, so that every guess is evaluated.
        real.clock.advance(901);
        const startedAt = performance.now();
        expect((await real.client().post('/users/login', body)).status).toBe(401);
        return performance.now() - startedAt;
      };
      const times = { unknown: [] as number[], wrong: [] as number[] };
      for (let round = 0; round < 15; round += 1) {
        times.unknown.push(await timed(unknown));
        times.wrong.push(await timed({ email: admin.email, password: 'not the password' }));
      }
      // Without the decoy hash, the response for an unknown e-mail would be about ten times as fast.
      const ratio = median(times.unknown) / median(times.wrong);
      expect(ratio).toBeGreaterThan(0.5);
      expect(ratio).toBeLessThan(2);
    } finally {
      await real.close();
    }
  });

  test('AUTH-09 reveals that the e-mail is unverified only with the right password', async () => {
    const { email } = signupBody();
    await platform.client().post('/accounts/signup', signupBody({ email }));
    const right = await platform.client().post('/users/login', { email, password });
    expect([right.status, right.body.error.errorCode]).toEqual([401, 'LOGIN_FAILED_EMAIL_NOT_VERIFIED']);
    const guess = await platform.client().post('/users/login', { email, password: 'not the password' });
    const unknownLogin = await platform.client().post('/users/login', unknown);
    expect([guess.status, guess.text]).toEqual([401, unknownLogin.text]);
  });
});

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
