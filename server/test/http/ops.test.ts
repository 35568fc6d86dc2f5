import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildOps } from '../../src/http/ops.ts';
import { type Platform, startPlatform } from '../harness/platform.ts';

let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

function ops(state: { isWorking?: boolean; isStopping?: boolean } = {}) {
  const { isWorking = true, isStopping = false } = state;
  const checks = {
    database: async () => {
      if (!isWorking) throw new Error('connect ECONNREFUSED 10.0.0.7:5432');
    },
  };
  return buildOps({ metrics: platform.api.base.metrics, checks, isStopping: () => isStopping });
}

test('LIMIT-15 health reports liveness and readiness, without a rate limit', async () => {
  const server = ops();
  for (let times = 0; times < 70; times++) {
    expect((await server.inject('/health/live')).statusCode).toBe(200);
  }
  const ready = await server.inject('/health/ready');
  expect(ready.statusCode).toBe(200);
  expect(ready.json()).toEqual({ status: 'ok', database: 'ok' });
  expect(ready.headers).not.toHaveProperty('ratelimit-limit');
});

test('a process that is broken or stopping is alive but not ready, and exposes no internals', async () => {
  const broken = await ops({ isWorking: false }).inject('/health/ready');
  expect(broken.statusCode).toBe(503);
  expect(broken.json()).toEqual({ status: 'unavailable', database: 'unavailable' });
  expect(broken.body).not.toContain('10.0.0.7');

  const stopping = ops({ isStopping: true });
  expect((await stopping.inject('/health/ready')).statusCode).toBe(503);
  expect((await stopping.inject('/health/live')).statusCode).toBe(200);
});

test('metrics cover the requests by route and status, the pool and the process', async () => {
  await platform.client().get('/users/me');
  await platform.client().get(`/users/accessTokens/${'x'.repeat(50)}`);
  const { statusCode, headers, body } = await ops().inject('/metrics');
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toContain('text/plain');
  expect(body).toMatch(
    /disca_http_request_seconds_count\{process="api",method="GET",route="\/api\/v1\/users\/me",status="401"\} 1/,
  );
  expect(body).toMatch(/^disca_database_connections\{process="api"\} \d+$/m);
  expect(body).toMatch(/^disca_database_waiting\{process="api"\} 0$/m);
  expect(body).toMatch(/^disca_limiter_fallbacks_total\{process="api"\} \d+$/m);
  expect(body).toMatch(/^process_resident_memory_bytes/m);
});

test('metric labels come from our routes only, however many paths are requested', async () => {
  for (let tried = 0; tried < 30; tried++) await platform.client().get(`/made/up/${tried}`);
  const { body } = await ops().inject('/metrics');
  expect(body).not.toContain('/made/up');
  expect(body).toMatch(/route="unknown",status="404"/);
});

test('health and metrics are not public', async () => {
  for (const path of ['/health/live', '/health/ready', '/metrics']) {
    expect((await platform.client().get(path)).status).toBe(404);
    expect((await platform.client().get(`/${path}`)).status).toBe(404);
  }
});
