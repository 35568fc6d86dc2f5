import { expect, test } from 'vitest';
import { createSlowEndpoints } from '../../../src/contexts/webhooks/delivery/slow-endpoints.ts';

test('HOOK-37 an endpoint is slow from its first slow response until a fast success', () => {
  const slow = createSlowEndpoints();
  slow.note(1, { durationMs: 999, outcome: 'delivered' });
  slow.note(2, { durationMs: 1_000, outcome: 'delivered' });
  slow.note(3, { durationMs: 15_000, outcome: 'timeout' });
  expect(slow.list()).toEqual([2, 3]);
  slow.note(2, { durationMs: 10, outcome: 'delivered' });
  expect(slow.list()).toEqual([3]);
});

test('HOOK-37 a fast failure, or a delivery that was not sent, does not make an endpoint fast', () => {
  const slow = createSlowEndpoints();
  slow.note(1, { durationMs: 2_000, outcome: 'delivered' });
  slow.note(1, { durationMs: 10, outcome: 'bad_status' });
  slow.note(1, { durationMs: 0, outcome: 'gone' });
  expect(slow.list()).toEqual([1]);
});

test('HOOK-37 an endpoint without deliveries for a minute is no longer slow', () => {
  let nowMs = 0;
  const slow = createSlowEndpoints(() => nowMs);
  slow.note(1, { durationMs: 2_000, outcome: 'delivered' });
  nowMs = 59_999;
  expect(slow.list()).toEqual([1]);
  slow.note(1, { durationMs: 2_000, outcome: 'delivered' });
  nowMs += 59_999;
  expect(slow.list()).toEqual([1]);
  nowMs += 1;
  expect(slow.list()).toEqual([]);
});
