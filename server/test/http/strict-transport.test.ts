import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Platform, startPlatform } from '../harness/platform.ts';

const html = { accept: 'text/html' };

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'disca-strict-transport-'));
  mkdirSync(join(folder, 'assets'));
  for (const name of ['index.html', 'assets/main-1.js']) writeFileSync(join(folder, name), 'content');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Requests a page, a file or a route of every kind; returns the statuses and the headers. */
async function askAll(platform: Platform): Promise<[number, unknown][]> {
  const preflight = { origin: 'https://crm.example.com', 'access-control-request-method': 'POST' };
  const requests = [
    { url: '/', headers: html },
    { url: '/assets/main-1.js' },
    { url: '/manual/' },
    { url: '/docs/', headers: html },
    { url: '/api/v1/openapi.json' },
    { url: '/api/v1/calls' },
    { url: '/api/v1/nowhere' },
    { url: '/api/v1/calls', method: 'OPTIONS', headers: preflight },
    {
      url: '/api/v1/users/login',
      method: 'POST',
      payload: '{',
      headers: { 'content-type': 'application/json' },
    },
  ] as const;
  const answers = await Promise.all(
    requests.map((request) => platform.app.inject({ method: 'GET', ...request })),
  );
  return answers.map(({ statusCode, headers }) => [statusCode, headers['strict-transport-security']]);
}

const statuses = [200, 200, 200, 200, 200, 401, 404, 204, 400];

test.each([
  ['https://api.disca.test', 'max-age=31536000'],
  ['http://api.disca.test', undefined],
])('ERR-14 with the public URL %s, every response has the HSTS header %s', async (url, header) => {
  const platform = await startPlatform({ PUBLIC_URL: url, CONSOLE_DIR: folder, MANUAL_DIR: folder });
  try {
    expect(await askAll(platform)).toEqual(statuses.map((status) => [status, header]));
  } finally {
    await platform.close();
  }
});
