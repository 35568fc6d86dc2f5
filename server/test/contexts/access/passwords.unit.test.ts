import { describe, expect, test } from 'vitest';
import { createPasswords } from '../../../src/contexts/access/index.ts';

const passwords = createPasswords();

describe('password hashing', () => {
  test('uses argon2id with a separate salt and a cost that makes guessing expensive', async () => {
    const [first, second] = [await passwords.hash('correct horse'), await passwords.hash('correct horse')];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(second).not.toBe(first);
    for (const hash of [first, second]) expect(await passwords.matches(hash, 'correct horse')).toBe(true);
  });

  test('matches only the exact password', async () => {
    const hash = await passwords.hash('Correct horse ç');
    for (const guess of ['correct horse ç', 'Correct horse c', 'Correct horse ç ', '', 'Correct horse ç\0'])
      expect([guess, await passwords.matches(hash, guess)]).toEqual([guess, false]);
    expect(await passwords.matches(hash, 'Correct horse ç')).toBe(true);
  });

  test('evaluates all 256 characters of a password', async () => {
    const long = 'x'.repeat(255);
    expect(await passwords.matches(await passwords.hash(`${long}a`), `${long}b`)).toBe(false);
  });

  test('never matches for an unknown user, not even the decoy’s password', async () => {
    for (const guess of ['no user has this password', '', 'anything'])
      expect(await passwords.matches(undefined, guess)).toBe(false);
  });

  test('AUTH-08 takes equally long for an unknown user and for a known one', async () => {
    const hash = await passwords.hash('correct horse');
    const timed = async (stored: string | undefined) => {
      const startedAt = performance.now();
      await passwords.matches(stored, 'a guess');
      return performance.now() - startedAt;
    };
    const times = { unknown: [] as number[], known: [] as number[] };
    for (let round = 0; round < 11; round += 1) {
      times.unknown.push(await timed(undefined));
      times.known.push(await timed(hash));
    }
    const ratio = median(times.unknown) / median(times.known);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  test('queues at most 256 checks: further ones are rejected and may retry', async () => {
    const cheap = createPasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 });
    const hash = await cheap.hash('correct horse');
    const answers = await Promise.allSettled(
      Array.from({ length: 300 }, () => cheap.matches(hash, 'correct horse')),
    );
    expect(answers.filter((each) => each.status === 'fulfilled' && each.value)).toHaveLength(256);
    for (const each of answers.filter((each) => each.status === 'rejected'))
      expect(each.reason).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 2 });
    expect(await cheap.matches(hash, 'correct horse')).toBe(true);
  });
});

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
