import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createWebhookSender, type WebhookSenderOptions } from '../../../src/adapters/webhooks/index.ts';
import type { WebhookSender } from '../../../src/contexts/webhooks/index.ts';
import { type Answer, type DnsServer, startDns } from './dns-server.ts';
import {
  type Certificate,
  type Listening,
  makeCertificate,
  startRaw,
  startReceiver,
  startTlsReceiver,
} from './servers.ts';

const names: Record<string, Answer> = {
  'receiver.test': ['127.0.0.1'],
  'other.test': ['127.0.0.1'],
  'two.test': ['127.0.0.9', '127.0.0.1'],
  'broken.test': 'broken',
  'empty.test': [],
};

let dns: DnsServer;
let trusted: Certificate;
let untrusted: Certificate;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  dns = await startDns((name) => (name.startsWith('silent') ? 'silent' : (names[name] ?? 'missing')));
  trusted = await makeCertificate('DNS:receiver.test,IP:127.0.0.1');
  untrusted = await makeCertificate('DNS:receiver.test,IP:127.0.0.1');
});
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});
afterAll(() => dns.close());

function newSender(options: Partial<WebhookSenderOptions> = {}): WebhookSender {
  const sender = createWebhookSender({
    allowedNetworks: ['127.0.0.0/8'],
    nameServers: [dns.address],
    certificateAuthority: trusted.cert,
    timeoutMs: 5_000,
    ...options,
  });
  open.push(sender);
  return sender;
}

/** Creates a sender with a short timeout, for tests that must time out. */
const shortTimeout = () => newSender({ timeoutMs: 400 });

async function opened<T extends Listening>(server: Promise<T>): Promise<T> {
  const listening = await server;
  open.push(listening);
  return listening;
}

const post = (sender: WebhookSender, url: string, body = '{"a":1}') =>
  sender.send({ url, headers: { 'content-type': 'application/json', 'webhook-id': 'msg_1' }, body });

test('HOOK-01 posts body and headers to the path and query, and keeps the start of the response', async () => {
  const seen: unknown[] = [];
  const { port } = await opened(
    startReceiver((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      request.on('end', () => {
        const { host, 'content-type': type, 'webhook-id': id, 'user-agent': agent } = request.headers;
        seen.push([request.method, request.url, host, type, id, agent, text]);
        response.writeHead(201).end(`olá${'\0'}${'\u0007'}\n${'é'.repeat(2_000)}`);
      });
    }),
  );
  const result = await post(newSender(), `http://receiver.test:${port}/a%20b/c?x=1&y=é#part`, '{"n":"ç"}');
  expect(result).toMatchObject({ outcome: 'delivered', status: 201, detail: null, address: '127.0.0.1' });
  expect(result.durationMs).toBeGreaterThanOrEqual(0);
  expect(result.responseBody).toMatch(/^olá\uFFFD\uFFFD\né+$/);
  expect(Buffer.byteLength(result.responseBody ?? '')).toBeLessThanOrEqual(1024 + 4);
  const host = `receiver.test:${port}`;
  expect(seen).toEqual([
    ['POST', '/a%20b/c?x=1&y=%C3%A9', host, 'application/json', 'msg_1', 'Disca-Webhooks/1', '{"n":"ç"}'],
  ]);
});

test('HOOK-17 any 2xx is delivered, other statuses fail, 410 is gone, redirects are not followed', async () => {
  let followed = 0;
  const { port } = await opened(
    startReceiver((request, response) => {
      if (request.url === '/followed') followed += 1;
      const status = Number(request.url?.slice(1));
      response.writeHead(status || 200, { location: '/followed' }).end();
    }),
  );
  const sender = newSender();
  const outcomes = new Map<number, string>();
  for (const status of [
    200, 201, 202, 204, 206, 299, 300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 410, 429, 500, 503,
  ]) {
    const result = await post(sender, `http://127.0.0.1:${port}/${status}`);
    expect(result.status).toBe(status);
    outcomes.set(status, result.outcome);
  }
  for (const [status, outcome] of outcomes) {
    const expected = status < 300 ? 'delivered' : status === 410 ? 'gone' : 'bad_status';
    expect([status, outcome]).toEqual([status, expected]);
  }
  expect(followed).toBe(0);
  expect((await post(sender, `http://127.0.0.1:${port}/302`)).detail).toMatch(/redirects are not followed/);
});

test('HOOK-17 reports the stage that failed: name lookup', async () => {
  for (const host of ['missing.test', 'broken.test', 'empty.test']) {
    const result = await post(newSender(), `http://${host}/`);
    expect([host, result]).toMatchObject([host, { outcome: 'dns_failed', status: null, address: null }]);
  }
  const silent = await post(shortTimeout(), 'http://silent.test/');
  expect(['timeout', 'dns_failed']).toContain(silent.outcome);
});

test('HOOK-17 reports the stage that failed: connection', async () => {
  const closed = await startReceiver(() => undefined);
  await closed.close();
  const result = await post(newSender(), `http://127.0.0.1:${closed.port}/`);
  expect(result).toMatchObject({ outcome: 'connect_failed', address: '127.0.0.1', status: null });
  expect(result.detail).toContain('ECONNREFUSED');
});

test('HOOK-17 reports the stage that failed: certificate', async () => {
  const answer = startTlsReceiver(trusted, (_request, response) => response.end());
  const { port } = await opened(answer);
  const sender = newSender();
  expect(await post(sender, `https://receiver.test:${port}/`)).toMatchObject({ outcome: 'delivered' });
  expect(await post(sender, `https://receiver.test.:${port}/`)).toMatchObject({ outcome: 'delivered' });
  expect(await post(sender, `https://127.0.0.1:${port}/`)).toMatchObject({ outcome: 'delivered' });
  const wrongName = await post(sender, `https://other.test:${port}/`);
  expect(wrongName).toMatchObject({ outcome: 'tls_failed', address: '127.0.0.1' });
  expect(wrongName.detail).toContain('ERR_TLS_CERT_ALTNAME_INVALID');

  const untrustedReceiver = await opened(startTlsReceiver(untrusted, (_request, response) => response.end()));
  const unknown = await post(sender, `https://receiver.test:${untrustedReceiver.port}/`);
  expect(unknown).toMatchObject({ outcome: 'tls_failed', status: null });

  const plain = await opened(startReceiver((_request, response) => response.end()));
  expect((await post(sender, `https://receiver.test:${plain.port}/`)).outcome).toBe('tls_failed');
  const resetting = await opened(startRaw((socket) => socket.once('data', () => socket.destroy())));
  expect((await post(sender, `https://receiver.test:${resetting.port}/`)).outcome).toBe('tls_failed');
});

test('HOOK-17 a late response is a timeout, whichever part is slow', async () => {
  const mute = await opened(startRaw((socket) => socket.resume()));
  const slowHandshake = `https://127.0.0.1:${mute.port}/`;
  const slowHead = `http://127.0.0.1:${mute.port}/`;
  const slowBody = await opened(
    startReceiver((_request, response) => void response.writeHead(200).write('begun')),
  );
  const trickle = await opened(
    startRaw((socket) => {
      const head = 'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n';
      let sent = 0;
      const timer = setInterval(() => socket.write(head[sent++] ?? 'x'), 5);
      socket.resume().on('close', () => clearInterval(timer));
    }),
  );
  const urls = [
    slowHandshake,
    slowHead,
    `http://127.0.0.1:${slowBody.port}/`,
    `http://127.0.0.1:${trickle.port}/`,
  ];
  for (const url of urls) {
    const result = await post(shortTimeout(), url);
    expect([url, result]).toMatchObject([url, { outcome: 'timeout', address: '127.0.0.1' }]);
    expect(result.durationMs).toBeLessThan(4_000);
  }
});

test('HOOK-17 a truncated or non-HTTP response is a lost connection', async () => {
  const replies = [
    '',
    'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf',
    'SSH-2.0-OpenSSH_9.6\r\n',
    `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`,
    'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
  ];
  for (const reply of replies) {
    const { port } = await opened(startRaw((socket) => socket.once('data', () => socket.end(reply))));
    const result = await post(newSender(), `http://127.0.0.1:${port}/`);
    expect([reply.slice(0, 60), result]).toMatchObject([reply.slice(0, 60), { outcome: 'connection_lost' }]);
  }
});

test('cuts an endless response at 64 kB and uses its status', async () => {
  let written = 0;
  const closed = Promise.withResolvers<void>();
  const { port } = await opened(
    startReceiver((_request, response) => {
      const chunk = Buffer.alloc(16 * 1024, 'x');
      const pump = () => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length;
      };
      response.on('drain', pump).on('close', () => closed.resolve());
      pump();
    }),
  );
  const result = await post(newSender(), `http://127.0.0.1:${port}/`);
  await closed.promise;
  expect(result).toMatchObject({ outcome: 'delivered', status: 200, responseBody: 'x'.repeat(1024) });
  expect(written).toBeLessThan(16 * 1024 * 1024);
});

test('tries the next address of a host whose first address refuses connections', async () => {
  const { port } = await opened(startReceiver((_request, response) => response.end()));
  const result = await post(newSender(), `http://two.test:${port}/`);
  expect(result).toMatchObject({ outcome: 'delivered', address: '127.0.0.1' });
});

test('reuses connections, opens them as needed and closes idle ones', async () => {
  let connections = 0;
  let ended = 0;
  const sockets = new WeakSet();
  const { port } = await opened(
    startReceiver((request, response) => {
      const { socket } = request;
      if (!sockets.has(socket)) {
        connections += 1;
        sockets.add(socket.on('close', () => (ended += 1)));
      }
      request.resume();
      setTimeout(() => response.end(), request.url === '/slow' ? 50 : 0);
    }),
  );
  const sender = newSender();
  for (let round = 0; round < 20; round += 1) {
    expect((await post(sender, `http://receiver.test:${port}/`)).outcome).toBe('delivered');
  }
  expect(connections).toBeLessThanOrEqual(2);
  await Promise.all(Array.from({ length: 20 }, () => post(sender, `http://receiver.test:${port}/slow`)));
  expect(connections).toBeGreaterThan(4);
  for (let waited = 0; ended < connections && waited < 20_000; waited += 100) await sleep(100);
  expect(ended).toBe(connections);
});

test('closing a sender aborts its pending requests', async () => {
  const sent = Promise.withResolvers<void>();
  const mute = await opened(startRaw((socket) => socket.once('data', () => sent.resolve())));
  const sender = newSender();
  const pending = post(sender, `http://127.0.0.1:${mute.port}/`);
  await sent.promise;
  await sender.close();
  expect((await pending).outcome).toBe('connection_lost');
});

test('hundreds of dead and slow endpoints do not delay a healthy one', async () => {
  const mute = await opened(startRaw((socket) => socket.resume()));
  const well = await opened(startReceiver((_request, response) => response.end()));
  const sender = newSender({ timeoutMs: 60_000 });
  let settled = 0;
  const slow = Array.from({ length: 200 }, (_, index) =>
    post(sender, `http://receiver.test:${mute.port}/${index}`).finally(() => (settled += 1)),
  );
  const nameless = Array.from({ length: 100 }, (_, index) => post(sender, `http://silent${index}.test/`));
  expect((await post(sender, `http://receiver.test:${well.port}/`)).outcome).toBe('delivered');
  expect(settled).toBe(0);
  await sender.close();
  const results = await Promise.all([...slow, ...nameless]);
  expect(new Set(results.map(({ outcome }) => outcome))).not.toContain('delivered');
});
