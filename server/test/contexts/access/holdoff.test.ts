import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccount, type Person, password, type TestAccount } from '../../harness/people.ts';
import { type Platform, startPlatform } from '../../harness/platform.ts';
import { waitForRedis } from '../../harness/wait-for-redis.ts';
import { countingPasswords } from './counting-passwords.ts';

const counting = countingPasswords();
let platform: Platform;
let account: TestAccount;
let victim: Person;

beforeAll(async () => {
  platform = await startPlatform({ RATE_LIMIT_SCALE: '1000' }, { passwords: counting.passwords });
  account = await createAccount(platform);
  platform.clock.freeze();
  waitForRedis(platform);
});
afterAll(() => platform.close());

const logInAs = (email: string, given: string, client = platform.client()) =>
  client.post('/users/login', { email, password: given });

/** Fails to log in `times` times, each from a new address. */
async function fail(email: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) statuses.push((await logInAs(email, 'a guess')).status);
  return statuses;
}

describe('guessing the password of one e-mail', () => {
  test('AUTH-10 is held off after 5 failures from any address, with the wait in the headers', async () => {
    victim = await account.addUser();
    expect(await fail(victim.email, 5)).toEqual([401, 401, 401, 401, 401]);
    const held = await logInAs(victim.email.toUpperCase(), 'a guess');
    expect([held.status, held.body.error.errorCode]).toEqual([429, 'RATE_LIMITED']);
    expect(held.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-reset': '1',
      'ratelimit-remaining': '0',
    });
  });

  test('AUTH-10 holds off the right password from a new address too, without evaluating it', async () => {
    const evaluated = await counting.during(async () =>
      expect((await logInAs(victim.email, password)).status).toBe(429),
    );
    expect(evaluated).toBe(0);
  });

  test('AUTH-10 does not hold off other users', async () => {
    const colleague = await account.addUser();
    expect((await logInAs(colleague.email, password)).status).toBe(200);
    expect((await logInAs('unknown@empresa.test', 'a guess')).status).toBe(401);
  });

  test('AUTH-10 does not hold off an address that logged in before', async () => {
    expect((await logInAs(victim.email, password, victim.client)).status).toBe(200);
    expect((await logInAs(victim.email, 'a guess', victim.client)).status).toBe(401);
    expect((await logInAs(victim.email, password, victim.client)).status).toBe(200);
  });

  test('AUTH-10 trusts an address only for the user who logged in from it', async () => {
    const insider = await account.addUser();
    expect((await logInAs(victim.email, password, insider.client)).status).toBe(429);
  });

  test('AUTH-10 starts at 1 s, doubles with each failure and never exceeds 15 min', async () => {
    const waits: number[] = [];
    for (let failure = 6; failure <= 20; failure += 1) {
      const held = await logInAs(victim.email, 'a guess');
      expect(held.status).toBe(429);
      const waitSeconds = Number(held.headers['retry-after']);
      waits.push(waitSeconds);
      platform.clock.advance(waitSeconds);
      expect((await logInAs(victim.email, 'a guess')).status).toBe(401);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900, 900]);
    platform.clock.advance(900);
    expect((await logInAs(victim.email, password)).status).toBe(200);
  });

  test('AUTH-10 resets after a success', async () => {
    expect(await fail(victim.email, 6)).toEqual([401, 401, 401, 401, 401, 429]);
    platform.clock.advance(901);
    expect((await logInAs(victim.email, password)).status).toBe(200);
    expect(await fail(victim.email, 6)).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('AUTH-10 does not reveal whether the e-mail exists', async () => {
    const email = 'never-signed-up@empresa.test';
    expect(await fail(email, 6)).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('AUTH-24 counts guesses at the current and at a former address of a user together', async () => {
    const moved = await account.addUser();
    const email = 'mudou@empresa.test';
    expect((await moved.client.patch('/users', { email })).status).toBe(200);
    expect([...(await fail(moved.email, 3)), ...(await fail(email, 2))]).toEqual([401, 401, 401, 401, 401]);
    for (const each of [moved.email, email]) expect((await logInAs(each, password)).status).toBe(429);
    platform.clock.advance(901);
    expect((await logInAs(moved.email, password)).status).toBe(200);
  });

  test('AUTH-10 counts concurrent guesses individually', async () => {
    const { email } = await account.addUser();
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async () => (await logInAs(email, 'x')).status),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(35);
  });

  test('AUTH-10 is separate from the hold-off of password changes', async () => {
    const owner = await account.addUser();
    await fail(owner.email, 6);
    const changing = (oldPassword: string) =>
      owner.client.post('/users/change-password', { oldPassword, newPassword: password });
    expect((await changing(password)).status).toBe(204);
    for (let guess = 0; guess < 5; guess += 1) expect((await changing('a guess')).status).toBe(422);
    const held = await changing(password);
    expect([held.status, held.headers['retry-after']]).toEqual([429, '1']);
    platform.clock.advance(901);
    expect((await changing(password)).status).toBe(204);
  });

  test('AUTH-19 holds off an address that logged in before after 20 failures, and no other', async () => {
    const person = await account.addUser();
    const guess = (given: string) => logInAs(person.email, given, person.client);
    for (let time = 0; time < 20; time += 1) expect((await guess('a guess')).status).toBe(401);
    const held = await guess(password);
    expect([held.status, held.headers['retry-after']]).toEqual([429, '1']);
    const elsewhere = await logInAs(person.email, password);
    expect(elsewhere.status).toBe(200);
    platform.clock.advance(1);
    expect((await guess(password)).status).toBe(200);
    expect((await guess('a guess')).status).toBe(401);
  });

  // Ten thousand requests take minutes on a busy machine.
  const long = { timeout: 1_800_000 };
  test(
    'AUTH-10 evaluates at most 50 of 10,000 guesses from 200 addresses in five minutes',
    long,
    async () => {
      const { email, client } = await account.addUser();
      const addresses = Array.from({ length: 200 }, () => platform.client());
      const evaluated = await counting.during(async () => {
        for (let round = 0; round < 50; round += 1) {
          // In small batches, because each request needs a database connection.
          for (let first = 0; first < addresses.length; first += 20) {
            const some = addresses.slice(first, first + 20);
            const answers = await Promise.all(
              some.map((address, i) => logInAs(email, `${round}-${first + i}`, address)),
            );
            const others = answers.filter(({ status }) => status !== 401 && status !== 429);
            expect(others.map(({ status, text }) => `${status} ${text}`)).toEqual([]);
          }
          platform.clock.advance(6);
        }
      });
      expect(evaluated).toBeGreaterThanOrEqual(5);
      expect(evaluated).toBeLessThanOrEqual(50);
      expect((await logInAs(email, password, client)).status).toBe(200);
    },
  );
});
