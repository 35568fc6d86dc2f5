import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DiscaError } from '../src/index.ts';
import { type Service, startService } from './harness/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ RATE_LIMIT_SCALE: '1' });
});
afterAll(() => service.close());

/** Shortens the current rate limit windows, as if the minute had nearly passed. */
async function endWindowsIn(ms: number): Promise<void> {
  const { redis } = service.platform.api;
  const prefix = redis.options.keyPrefix ?? '';
  for (const key of await redis.keys(`${prefix}limit:*`)) await redis.pexpire(key.slice(prefix.length), ms);
}

async function useUp(): Promise<DiscaError> {
  const hasty = service.client({ maxWaitMs: 0 });
  for (;;) {
    try {
      await hasty.account.get();
    } catch (error) {
      return error as DiscaError;
    }
  }
}

test('with maxWaitMs 0 a rate limit is thrown immediately, with its retry time', async () => {
  const error = await useUp();
  expect(error).toMatchObject({ code: 'RATE_LIMITED', status: 429 });
  expect(error.retryAfterSeconds).toBeGreaterThan(0);
  expect(error.retryAfterSeconds).toBeLessThanOrEqual(60);
});

test('by default it waits as long as the service says, for any method, and retries', async () => {
  const waits: number[] = [];
  const patient = service.client({ onRetry: ({ waitMs }) => waits.push(waitMs) });
  await useUp();
  await endWindowsIn(5_000);
  const startedMs = performance.now();
  const [account, integration] = await Promise.all([
    patient.account.get(),
    patient.integrations.save({ gateway: 'waits' }),
  ]);
  expect(account.domain).toBe(service.account.domain);
  expect(integration.gateway).toBe('waits');
  expect(waits).not.toHaveLength(0);
  for (const waitMs of waits) expect(waitMs).toBeGreaterThanOrEqual(1_000);
  // Node timers may fire a millisecond early.
  expect(performance.now() - startedMs).toBeGreaterThan(Math.max(...waits) - 10);
});
