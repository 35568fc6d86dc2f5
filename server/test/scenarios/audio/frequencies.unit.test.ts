import { expect, test } from 'vitest';
import { createRandom } from '../chaos/random.ts';
import { createFrequencyPool, frequencies } from './frequencies.ts';

test('tones of three calls at a time are far apart, also from those of calls that just ended', () => {
  let nowMs = 0;
  const pool = createFrequencyPool(createRandom(1).shuffle(frequencies), () => nowMs);
  const running: number[][] = [];
  let leastHertz = Number.POSITIVE_INFINITY;
  const played = new Set<number>();
  for (let call = 0; call < 300; call += 1) {
    const others = pool.inUseSince(nowMs);
    const tones = [pool.take(), pool.take()];
    for (const tone of tones) {
      played.add(tone);
      leastHertz = Math.min(leastHertz, ...others.map((other) => Math.abs(other - tone)));
    }
    running.push(tones);
    nowMs += 1_300;
    if (running.length === 3) running.shift()?.forEach(pool.release);
  }
  expect(leastHertz).toBeGreaterThanOrEqual(100);
  expect(played.size).toBeGreaterThan(20);
});

test('the two tones of a call are not near each other, also with six calls at a time', () => {
  let nowMs = 0;
  const pool = createFrequencyPool(createRandom(71).shuffle(frequencies), () => nowMs);
  const running: number[][] = [];
  for (let call = 0; call < 2_000; call += 1) {
    const caller = pool.take();
    const called = pool.take(caller);
    expect(Math.abs(caller - called)).toBeGreaterThanOrEqual(300);
    running.push([caller, called]);
    nowMs += 600;
    if (running.length === 6) running.shift()?.forEach(pool.release);
  }
});

test('the tones in use since a time include those of calls that ended shortly before', () => {
  let nowMs = 100_000;
  const pool = createFrequencyPool(frequencies, () => nowMs);
  const [old, recent, current] = [pool.take(), pool.take(), pool.take()];
  pool.release(old);
  nowMs += 8_000;
  pool.release(recent);
  nowMs += 1_000;
  expect(pool.inUseSince(nowMs).toSorted()).toEqual([recent, current].toSorted());
  expect(pool.inUseSince(nowMs - 5_000).toSorted()).toEqual([old, recent, current].toSorted());
});

test('refuses to play one tone in two calls', () => {
  const pool = createFrequencyPool([500, 600]);
  pool.take();
  pool.take();
  expect(() => pool.take()).toThrow('reduce --concurrency');
});
