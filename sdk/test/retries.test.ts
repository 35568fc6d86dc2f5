import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Disca, DiscaError } from '../src/index.ts';
import { waitBeforeRetryMs } from '../src/retry.ts';
import { type LossyProxy, startLossyProxy } from './harness/lossy-proxy.ts';
import { destination, type Service, startService } from './harness/service.ts';

let service: Service;
let proxy: LossyProxy;
let disca: Disca;
let retried: { error: DiscaError; waitMs: number }[] = [];
beforeAll(async () => {
  service = await startService();
  proxy = await startLossyProxy(service.url);
  disca = service.client({ baseUrl: proxy.url, onRetry: (retry) => retried.push(retry) });
});
afterEach(() => {
  proxy.seen.length = 0;
  retried = [];
});
afterAll(async () => {
  await proxy.close();
  await service.close();
});

const callsTo = async (called: string) => await service.disca.calls.list({ where: { to: called } }).take(10);
const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'done',
    (error: DiscaError) => error.code,
  );

test('reads are retried when the connection breaks before, during or after the response', async () => {
  proxy.next('lose the request', 'cut the answer', 'lose the answer');
  expect((await disca.account.get()).domain).toBe(service.account.domain);
  expect(proxy.seen).toHaveLength(4);
  expect(retried.map(({ error }) => error.code)).toEqual(['UNREACHABLE', 'UNREACHABLE', 'UNREACHABLE']);
  // Pauses grow, with jitter.
  expect(retried.every(({ waitMs }, index) => waitMs >= 125 * 2 ** index && waitMs <= 250 * 2 ** index)).toBe(
    true,
  );
});

test('gives up after the configured number of retries', async () => {
  proxy.next(
    'lose the request',
    'lose the request',
    'lose the request',
    'lose the request',
    'lose the request',
  );
  expect(await codeOf(disca.account.get())).toBe('UNREACHABLE');
  expect(proxy.seen).toHaveLength(4);
  expect(await codeOf(disca.account.get({ retries: 0 }))).toBe('UNREACHABLE');
  expect(proxy.seen).toHaveLength(5);
});

test('a call whose response was lost is retried with the same key and placed once', async () => {
  const called = '5511911110001';
  proxy.next('lose the answer', 'lose the answer');
  const placed = await disca.calls.place({ extension: service.extension, called });
  const keys = proxy.seen.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
  expect((await callsTo(called)).map(({ id }) => id)).toEqual([placed.id]);
});

test('an explicit key repeats a call across processes, and is rejected for another call', async () => {
  const called = '5511911110002';
  const body = { extension: service.extension, called };
  const first = await disca.calls.place(body, { idempotencyKey: 'deal-7' });
  expect(await disca.calls.place(body, { idempotencyKey: 'deal-7' })).toEqual(first);
  const other = disca.calls.place({ ...body, called: destination }, { idempotencyKey: 'deal-7' });
  expect(await codeOf(other)).toBe('IDEMPOTENCY_KEY_REUSED');
});

test('non-idempotent requests are retried only if they cannot have been sent', async () => {
  proxy.next('lose the answer');
  expect(await codeOf(disca.tokens.create({ name: 'once' }))).toBe('UNREACHABLE');
  expect(proxy.seen).toHaveLength(1);
  expect(await service.disca.tokens.list({ where: { name: 'once' } }).take(10)).toHaveLength(1);
  const gone = await startLossyProxy(service.url);
  await gone.close();
  const nowhere = service.client({ baseUrl: gone.url, onRetry: (retry) => retried.push(retry) });
  expect(await codeOf(nowhere.tokens.create({ name: 'never' }))).toBe('UNREACHABLE');
  expect(retried).toHaveLength(3);
});

test('a removal whose response was lost succeeds when the retry finds nothing', async () => {
  const { id } = await service.disca.integrations.save({ gateway: 'to be removed' });
  proxy.next('lose the answer');
  await disca.integrations.remove(id);
  expect(proxy.seen).toHaveLength(2);
  expect(await codeOf(disca.integrations.remove(id))).toBe('NOT_FOUND');
});

test('a response of a proxy is retried, and reported if it persists', async () => {
  proxy.next('bad gateway');
  expect((await disca.account.get()).domain).toBe(service.account.domain);
  proxy.next('bad gateway', 'bad gateway');
  const error = await disca.account.get({ retries: 1 }).catch((thrown: DiscaError) => thrown);
  expect(error).toMatchObject({ code: 'UNEXPECTED_ANSWER', status: 502 });
});

test('an attempt without a response times out and is retried', async () => {
  proxy.next('swallow');
  expect((await disca.account.get({ timeoutMs: 5_000 })).domain).toBe(service.account.domain);
  expect(retried.map(({ error }) => error.code)).toEqual(['TIMEOUT']);
  proxy.next('swallow');
  expect(await codeOf(disca.account.get({ timeoutMs: 2_000, retries: 0 }))).toBe('TIMEOUT');
});

test('aborting stops immediately, during a request and during a pause', async () => {
  const reason = new Error('no longer wanted');
  proxy.next('swallow');
  const asking = new AbortController();
  const asked = disca.account.get({ signal: asking.signal }).catch((thrown: unknown) => thrown);
  await expect.poll(() => proxy.seen.length).toBe(1);
  asking.abort(reason);
  expect(await asked).toBe(reason);
  const leaving = new AbortController();
  const waiting = service.client({ baseUrl: proxy.url, onRetry: () => leaving.abort(reason) });
  proxy.next('lose the request');
  await expect(waiting.account.get({ signal: leaving.signal })).rejects.toBe(reason);
  expect(proxy.seen).toHaveLength(2);
});

test('CALL-31 a request that is still running is repeated when Retry-After says', () => {
  const error = new DiscaError('IDEMPOTENCY_CONFLICT', { message: '', status: 409, retryAfterSeconds: 1 });
  const attempt = { attempt: 1, isRepeatable: true, rules: { retries: 3, maxWaitMs: 61_000 } };
  expect(waitBeforeRetryMs(error, attempt, () => 0)).toBe(1_000);
});
