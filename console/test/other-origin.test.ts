import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDeck } from '../../server/test/harness/fixtures/billing.ts';
import { type CallingAccount, createCallingAccount } from '../../server/test/harness/fixtures/call-limits.ts';
import { startBarePage } from './harness/bare-page.ts';
import { startConsole, type TestConsole } from './harness/console.ts';

let testConsole: TestConsole;
let account: CallingAccount;
/** A site on another port: for browsers another origin, as the page of a CRM is. */
let site: Awaited<ReturnType<typeof startBarePage>>;

beforeAll(async () => {
  testConsole = await startConsole();
  await addDeck(testConsole.platform, [{ prefix: '55', price: 0.6 }]);
  account = await createCallingAccount(testConsole.platform);
  site = await startBarePage();
});
afterAll(async () => {
  await site?.stop();
  await testConsole?.close();
});

interface Sent {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  credentials?: 'include' | 'omit';
}

/** Sends a request from the page; `headers` are those that the page can read. */
const send = (page: Page, { url, ...options }: Sent) =>
  page.evaluate(
    async ([to, init]) => {
      try {
        const response = await fetch(to, init);
        const headers: Record<string, string> = Object.fromEntries(response.headers);
        return { status: response.status, headers, text: await response.text() };
      } catch (error) {
        return { status: 0, headers: {}, text: String(error) };
      }
    },
    [url, options] as const,
  );

test('COMPAT-07 a page of another origin places a call and reads response, limits and errors', async () => {
  const { page, close } = await testConsole.view();
  await page.goto(site.url);
  const url = `${testConsole.baseUrl}/api/v1/calls`;
  const headers = {
    authorization: account.admin.token,
    'content-type': 'application/json',
    'idempotency-key': 'crm-1',
    'x-request-id': 'crm-request-1',
  };
  const body = JSON.stringify({ called: '5511987654321', extension: account.ramal, metadata: {} });
  const placed = await send(page, { url, method: 'POST', headers, body });
  expect(placed.status, placed.text).toBe(200);
  expect(JSON.parse(placed.text)).toMatchObject({ status: 'queued', id: expect.any(String) });
  expect(await account.running()).toBe(1);
  expect(Number(placed.headers['ratelimit-remaining'])).toBe(Number(placed.headers['ratelimit-limit']) - 1);
  expect(placed.headers).toMatchObject({
    'ratelimit-reset': expect.stringMatching(/^\d+$/),
    'x-request-id': 'crm-request-1',
  });

  const repeated = await send(page, { url, method: 'POST', headers, body });
  expect(repeated.headers['idempotency-replayed']).toBe('true');
  expect(JSON.parse(repeated.text).id).toBe(JSON.parse(placed.text).id);

  const invalid = await send(page, {
    url,
    method: 'POST',
    headers: { ...headers, authorization: 'unknown' },
    body,
  });
  expect([invalid.status, JSON.parse(invalid.text).error.errorCode]).toEqual([401, 'INVALID_TOKEN']);
  const { 'idempotency-key': _, ...plain } = headers;
  const incomplete = await send(page, { url, method: 'POST', headers: plain, body: '{}' });
  expect([incomplete.status, JSON.parse(incomplete.text).error.errorCode]).toEqual([422, 'VALIDATION_ERROR']);
  await close();
});

test('COMPAT-07 a page of another origin cannot use the session of the console', async () => {
  const { page, close } = await testConsole.viewAs(account.admin);
  const api = `${testConsole.baseUrl}/api/v1`;
  const own = { url: `${api}/users/me`, headers: { 'x-disca-console': '1' } };
  expect((await send(page, own)).status).toBe(200);

  await page.goto(site.url);
  expect((await send(page, { ...own, credentials: 'include' })).status).toBe(0);
  expect((await send(page, own)).status).toBe(0);
  expect((await send(page, { url: own.url, credentials: 'include' })).status).toBe(0);
  expect((await send(page, { url: own.url })).status).toBe(401);
  const session = { url: `${api}/console/session`, credentials: 'include' } as const;
  expect((await send(page, { ...session, method: 'DELETE' })).status).toBe(0);

  await page.goto(`${testConsole.baseUrl}/assets/none`);
  expect((await send(page, own)).status).toBe(200);
  await close();
});
