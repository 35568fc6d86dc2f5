import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { requester } from '../many-nodes/line.ts';
import { download } from './recording.ts';

let server: Server | undefined;
afterEach(() => server?.close());

/** Serves a call whose recording is at /file, with these responses. */
async function serve(responses: Record<string, [status: number, body: string]>): Promise<string> {
  server = createServer(({ url = '' }, response) => {
    const [status, body] = responses[url] ?? [404, ''];
    response.writeHead(status, { 'x-request-id': 'one' }).end(body);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const get = async (responses: Parameters<typeof serve>[0]): Promise<Buffer | string> => {
  const url = await serve(responses);
  return await download(url, { callId: '7', line: { customer: { ask: requester(url, 'token') } } });
};

const page = '<html><body>502 Bad Gateway</body></html>';
const call = JSON.stringify({ record_url: 'https://api.example.com/file' });

test("a load balancer's error page is reported with its request and status", async () => {
  expect(await get({ '/calls/7': [502, page] })).toBe(`GET /calls/7: answered 502, not JSON: ${page}`);
  expect(await get({ '/calls/7': [200, call], '/file': [502, page] })).toBe(
    `GET /file returned 502, not with audio: ${page}`,
  );
});

test('a stored recording is returned, and a call without one says so', async () => {
  expect(await get({ '/calls/7': [200, call], '/file': [200, 'RIFF....'] })).toEqual(Buffer.from('RIFF....'));
  expect(await get({ '/calls/7': [200, '{}'] })).toBe('the call has no record_url');
});
