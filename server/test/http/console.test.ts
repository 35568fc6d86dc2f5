import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Platform, startPlatform } from '../harness/platform.ts';

const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const script = "document.documentElement.dataset.frame = 'shell';";
const page = `<html><head><meta property="csp-nonce" nonce="__NONCE__"><script nonce="__NONCE__">${script}</script></head></html>`;

let folder: string;
let platform: Platform;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'disca-console-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, 'assets', 'main-1.js'), 'plain');
  writeFileSync(join(folder, 'assets', 'main-1.js.br'), 'brotli');
  writeFileSync(join(folder, 'assets', 'main-1.js.gz'), 'gzip');
  platform = await startPlatform({
    CONSOLE_DIR: folder,
    EDGE_WEBSOCKET_URLS: 'wss://sip1.disca.test/sip, wss://sip2.disca.test:8443/sip',
    CONSOLE_CONNECTS: 'https://files.disca.test,wss://sip1.disca.test',
  });
});
afterAll(async () => {
  await platform?.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = (url: string, headers: Record<string, string> = html) =>
  platform.app.inject({ method: 'GET', url, headers, remoteAddress: '198.51.100.7' });

test('redirects the manual to the API reference where no manual was built', async () => {
  for (const url of ['/manual/', '/manual/pt-BR/']) {
    const led = await get(url);
    expect([url, led.statusCode, led.headers.location]).toEqual([url, 302, '/docs/']);
  }
});

test('serves the console for every path without another route, with no-store', async () => {
  for (const url of [
    '/',
    '/login?next=%2Fcalls',
    '/calls/0190f5a8-0000-7000-8000-000000000000',
    '/api-keys',
  ]) {
    const answer = await get(url);
    expect([url, answer.statusCode, answer.headers['content-type']]).toEqual([
      url,
      200,
      'text/html; charset=utf-8',
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
  }
});

test('unknown API paths, missing files and non-browser requests stay 404', async () => {
  for (const url of ['/api/v1/nowhere', '/api', '/assets/none.js', '/favicon.ico', '/docs-nowhere.txt'])
    expect([url, (await get(url)).statusCode]).toEqual([url, 404]);
  expect((await get('/calls', { accept: 'application/json' })).json().error.errorCode).toBe('NOT_FOUND');
  expect((await get('/calls', {})).statusCode).toBe(404);
  const posted = await platform.app.inject({ method: 'POST', url: '/calls', headers: html });
  expect(posted.statusCode).toBe(404);
});

test('pages may connect to the edges and to the configured hosts, each listed once', async () => {
  const policy = String((await get('/')).headers['content-security-policy']);
  expect(policy).toMatch(
    /connect-src 'self' \S+ wss:\/\/sip1\.disca\.test wss:\/\/sip2\.disca\.test:8443 https:\/\/files\.disca\.test;/,
  );
});

test('every page has a strict content security policy with its own nonce', async () => {
  const [one, other] = [await get('/'), await get('/')];
  const findNonce = (body: string) => /nonce="([^"]+)"/.exec(body)?.[1];
  const nonce = findNonce(one.body);
  expect(nonce).toMatch(/^[\w+/]{22}==$/);
  expect(findNonce(other.body)).not.toBe(nonce);
  const policy = String(one.headers['content-security-policy']);
  expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
  const hash = createHash('sha256').update(script).digest('base64');
  expect(policy).toContain(`default-src 'none'; script-src 'self' 'sha256-${hash}';`);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|\*/);
  expect(one.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
  });
});

test('serves precompressed files with a cache lifetime of one year', async () => {
  const brotli = await get('/assets/main-1.js', { 'accept-encoding': 'gzip, br' });
  expect([brotli.body, brotli.headers['content-encoding']]).toEqual(['brotli', 'br']);
  expect(brotli.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(brotli.headers['content-type']).toMatch(/javascript/);
  expect((await get('/assets/main-1.js', { 'accept-encoding': 'gzip' })).body).toBe('gzip');
  expect((await get('/assets/main-1.js', {})).body).toBe('plain');
});

test('serves no file outside its folder', async () => {
  for (const url of [
    '/assets/../index.html',
    '/assets/%2e%2e/index.html',
    '/assets/..%2findex.html',
    '/assets/',
  ])
    expect([url, (await get(url, {})).statusCode]).toEqual([
      url,
      expect.toSatisfy((status) => status >= 400),
    ]);
});

test('LIMIT-15 pages and files are not rate limited; unknown API paths are', async () => {
  for (let more = 0; more < 70; more += 1) expect((await get('/calls')).statusCode).toBe(200);
  const file = await get('/assets/main-1.js', {});
  expect(file.headers['ratelimit-limit']).toBeUndefined();
  expect((await get('/api/v1/nowhere')).headers['ratelimit-limit']).toBe('60');
});
