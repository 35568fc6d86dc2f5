import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createAccountShares } from '../../../src/platform/db/account-shares.ts';

/** Returns work that runs until it is released, and notes its start. */
function pieceOfWork() {
  const { promise, resolve } = Promise.withResolvers<string>();
  const work = { isStarted: false, release: () => resolve('done'), run };
  async function run(): Promise<string> {
    work.isStarted = true;
    return await promise;
  }
  return work;
}

test('LIMIT-17 an account runs as much at once as its share, the rest in order, and delays no other account', async () => {
  const shares = createAccountShares(2, 60_000);
  const pieces = Array.from({ length: 4 }, pieceOfWork);
  const running = pieces.map((piece) => shares.run(1, piece.run));
  expect(await shares.run(2, async () => 'other')).toBe('other');
  expect(pieces.map(({ isStarted }) => isStarted)).toEqual([true, true, false, false]);
  pieces[1]?.release();
  await running[1];
  await sleep(0);
  expect(pieces.map(({ isStarted }) => isStarted)).toEqual([true, true, true, false]);
  for (const { release } of pieces) release();
  expect(await Promise.all(running)).toEqual(['done', 'done', 'done', 'done']);
});

test('LIMIT-17 work that waits too long is refused and never starts; failures free their place', async () => {
  const shares = createAccountShares(1, 20);
  const first = pieceOfWork();
  const late = pieceOfWork();
  const running = shares.run(1, first.run);
  await expect(shares.run(1, late.run)).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'Too many requests of this account are running. Try again shortly.',
    retryAfterSeconds: 2,
  });
  first.release();
  await running;
  expect(late.isStarted).toBe(false);
  await expect(shares.run(1, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await shares.run(1, async () => 'next')).toBe('next');
});

test('LIMIT-26 a lower limit of an account applies as work ends, a higher one at once', async () => {
  const shares = createAccountShares(3, 60_000);
  const pieces = Array.from({ length: 6 }, pieceOfWork);
  const running = pieces.map((piece) => shares.run(1, piece.run));
  const started = () => pieces.filter(({ isStarted }) => isStarted).length;
  shares.limit(1, 1);
  for (const index of [0, 1]) {
    pieces[index]?.release();
    await running[index];
    expect(started()).toBe(3);
  }
  pieces[2]?.release();
  await running[2];
  await sleep(0);
  expect(started()).toBe(4);
  shares.limit(1, 100);
  await sleep(0);
  expect(started()).toBe(6);
  for (const { release } of pieces) release();
  await Promise.all(running);
  shares.limit(1, 1);
  expect(await Promise.all([shares.run(1, async () => 'a'), shares.run(1, async () => 'b')])).toEqual([
    'a',
    'b',
  ]);
});
