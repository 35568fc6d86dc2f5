import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type Certificate, makeCertificate } from '../../server/test/adapters/webhooks/servers.ts';
import { freePort } from '../../tools/dev/ports.ts';
import { type Balanced, startHaproxy } from '../../tools/dev/services/haproxy.ts';

/** A process behind the balancer whose readiness and responses the test chooses. */
interface Backend extends Balanced {
  readyStatus: number;
  readyAfterMs: number;
  breaks: boolean;
  hangs: boolean;
  served: number;
  stop(): void;
}

const open: { stop(): void | Promise<void> }[] = [];
const stopAll = async (): Promise<void> => {
  for (const each of open.splice(0).toReversed()) await each.stop();
};
afterEach(stopAll);

async function startBackend(): Promise<Backend> {
  const answers = createServer((_request, response) => {
    backend.served += 1;
    if (backend.breaks) response.destroy();
    else if (!backend.hangs) response.end('{}');
  });
  const checks = createServer((_request, response) => {
    setTimeout(() => response.writeHead(backend.readyStatus).end(), backend.readyAfterMs);
  });
  const servers = [answers, checks];
  const backend: Backend = {
    port: await listen(answers),
    opsPort: await listen(checks),
    readyStatus: 200,
    readyAfterMs: 0,
    breaks: false,
    hangs: false,
    served: 0,
    stop() {
      for (const server of servers) server.close().closeAllConnections();
    },
  };
  open.push(backend);
  return backend;
}

async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as { port: number }).port;
}

/** Starts the balancer in front of two API processes and returns its URL. */
async function startBalancer(apis: [Balanced, Balanced], certificate?: Certificate): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'disca-haproxy-'));
  open.push({ stop: () => rmSync(dir, { recursive: true, force: true }) });
  const certificateFile = join(dir, 'api.pem');
  if (certificate) writeFileSync(certificateFile, certificate.cert + certificate.key);
  const apiPort = await freePort();
  const voices: [Balanced, Balanced] = [...apis];
  const voicePort = await freePort();
  const ports = { apiPort, voicePort, ...(certificate && { certificateFile }) };
  open.push(await startHaproxy({ name: `haproxy-${apiPort}`, dir, ...ports, apis, voices }));
  return `${certificate ? 'https' : 'http'}://127.0.0.1:${apiPort}/`;
}

/** Returns the status and the header of a request over TLS. */
async function getOverTls(url: string, ca: string): Promise<[number | undefined, string | undefined]> {
  const [response] = (await once(get(url, { ca, agent: false }), 'response')) as [IncomingMessage];
  response.resume();
  return [response.statusCode, response.headers['strict-transport-security']];
}

const post = (url: string): Promise<Response> => fetch(url, { method: 'POST', body: '{}' });

async function expectUnavailable(response: Response, statusCode: number, name: string): Promise<void> {
  expect(response.status).toBe(statusCode);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(response.headers.get('retry-after')).toBe('2');
  expect(response.headers.get('x-request-id')).toMatch(/^[\w.-]{8,64}$/);
  expect(await response.json()).toEqual({
    error: { statusCode, errorCode: 'SERVICE_UNAVAILABLE', name, message: expect.any(String) },
  });
}

/** A request to processes that do not respond. Its minute passes during the other tests. */
let unanswered: { response: Promise<Response>; served(): number };
let unansweredBy: typeof open;

beforeAll(async () => {
  const [first, second] = [await startBackend(), await startBackend()];
  const url = await startBalancer([first, second]);
  for (const backend of [first, second]) backend.hangs = true;
  unanswered = { response: post(url), served: () => first.served + second.served };
  unansweredBy = open.splice(0);
});
afterAll(async () => {
  open.push(...unansweredBy);
  await stopAll();
});

it('ERR-13 answers in the API’s error format when no process accepts connections', async () => {
  const [first, second] = [await startBackend(), await startBackend()];
  const url = await startBalancer([first, second]);
  for (const backend of [first, second]) backend.stop();
  await expectUnavailable(await post(url), 503, 'ServiceUnavailable');
});

it('ERR-13 answers in the API’s error format when a process ends without a response', async () => {
  const [first, second] = [await startBackend(), await startBackend()];
  const url = await startBalancer([first, second]);
  for (const backend of [first, second]) backend.breaks = true;
  await expectUnavailable(await post(url), 502, 'BadGateway');
  // The request may have been executed, so it is not sent again.
  expect(first.served + second.served).toBe(1);
});

it('ERR-14 sends HSTS over TLS with responses of the API and its own, and none without TLS', async () => {
  const [first, second] = [await startBackend(), await startBackend()];
  const certificate = await makeCertificate('IP:127.0.0.1');
  const url = await startBalancer([first, second], certificate);
  const plain = await startBalancer([first, second]);
  const hsts = 'max-age=31536000';
  expect(await getOverTls(url, certificate.cert)).toEqual([200, hsts]);
  expect((await fetch(plain)).headers.get('strict-transport-security')).toBeNull();
  for (const backend of [first, second]) backend.stop();
  expect(await getOverTls(url, certificate.cert)).toEqual([503, hsts]);
  expect((await fetch(plain)).headers.get('strict-transport-security')).toBeNull();
});

it('uses a process that responds late to its check while the other one restarts', async () => {
  const [first, second] = [await startBackend(), await startBackend()];
  second.readyAfterMs = 1_500;
  const url = await startBalancer([first, second]);
  first.stop();
  const deadline = Date.now() + 6_000;
  while (Date.now() < deadline) {
    expect((await post(url)).status).toBe(200);
    await sleep(50);
  }
});

it('lets the API answer while no process is ready, as in a database outage', async () => {
  const [first, second] = [await startBackend(), await startBackend()];
  const url = await startBalancer([first, second]);
  for (const backend of [first, second]) backend.readyStatus = 503;
  const deadline = Date.now() + 3_000;
  while (Date.now() < deadline) {
    expect((await post(url)).status).toBe(200);
    await sleep(50);
  }
});

it('sends no request to a process that reports that it is not ready', async () => {
  const [first, second] = [await startBackend(), await startBackend()];
  const url = await startBalancer([first, second]);
  first.readyStatus = 503;
  await vi.waitFor(
    async () => {
      const before = first.served;
      for (let sent = 0; sent < 10; sent += 1) expect((await post(url)).status).toBe(200);
      expect(first.served).toBe(before);
    },
    { timeout: 120_000 },
  );
  first.readyStatus = 200;
  await vi.waitFor(
    async () => {
      const before = first.served;
      await post(url);
      await post(url);
      expect(first.served).toBeGreaterThan(before);
    },
    { timeout: 120_000 },
  );
});

it('ERR-13 answers in the API’s error format when a process does not respond within a minute', async () => {
  await expectUnavailable(await unanswered.response, 504, 'GatewayTimeout');
  expect(unanswered.served()).toBe(1);
});
