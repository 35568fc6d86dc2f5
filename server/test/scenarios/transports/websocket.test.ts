import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authorityFile } from '../../../../tools/dev/voice/certificates.ts';
import {
  answerCalls,
  inviteTo,
  openMediaNode,
  withinCall,
  withinCallFromPhone,
} from '../../harness/edge/calls.ts';
import { type EdgeFixture, readPresence, startEdges, type TestEdge } from '../../harness/edge/edge.ts';
import { consoleOrigin, openSipClient, type SipClient } from '../../harness/edge/sip-client.ts';
import { headerOf, type headersOf, methodOf, statusOf } from '../../harness/edge/sip-message.ts';
import { until } from '../../harness/until.ts';

let fixture: EdgeFixture;
let edge: TestEdge;
let node: SipClient;
const clients: SipClient[] = [];

beforeAll(async () => {
  fixture = await startEdges();
  edge = await fixture.startEdge({ FLOOD_REQUESTS: 1000 });
  node = await openMediaNode(fixture, edge);
});
afterAll(async () => {
  for (const client of [...clients, node]) await client?.close();
  await fixture?.close();
});

async function openBrowser(): Promise<SipClient> {
  const browser = await openSipClient({ server: edge.wss, transport: 'wss' });
  clients.push(browser);
  return browser;
}

interface Handshake {
  method?: string;
  path?: string;
  /** Headers to send; undefined omits one. */
  headers?: Record<string, string | undefined>;
}

/** Returns the status of a WebSocket handshake: 101 if accepted; 0 if the connection is closed without a response. */
function shakeHands({ method = 'GET', path = '/sip', headers = {} }: Handshake = {}): Promise<number> {
  const all = {
    Host: `${edge.wss.address}:${edge.wss.port}`,
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Protocol': 'sip',
    Origin: consoleOrigin,
    ...headers,
  };
  const given = Object.entries(all).filter((header): header is [string, string] => header[1] !== undefined);
  return new Promise((resolve) => {
    const asking = request({
      host: edge.wss.address,
      port: edge.wss.port,
      method,
      path,
      headers: Object.fromEntries(given),
      ca: readFileSync(authorityFile),
      servername: 'localhost',
      agent: false,
    });
    const settle = (status: number): void => {
      asking.destroy();
      resolve(status);
    };
    asking.once('upgrade', (answer) => settle(answer.statusCode ?? 0));
    asking.once('response', (answer) => settle(answer.statusCode ?? 0));
    asking.once('error', () => settle(0));
    asking.end();
  });
}

test('accepts a WebSocket from a console page', async () => {
  expect(await shakeHands()).toBe(101);
});

test.each([
  ['of another origin', 'https://evil.example'],
  ['of an origin that starts like the console', `${consoleOrigin}.evil.example`],
  ['of the console without TLS', consoleOrigin.replace('https', 'http')],
  ['without an origin', undefined],
  ['with an empty origin', ''],
  ['with an opaque origin', 'null'],
  ['with two origins', `${consoleOrigin} https://evil.example`],
])('rejects a WebSocket from a page %s', async (_, origin) => {
  expect(await shakeHands({ headers: { Origin: origin } })).toBe(403);
});

test('accepts a WebSocket only under the names of the edge', async () => {
  expect(await shakeHands({ headers: { Host: 'evil.example' } })).toBe(403);
  expect(await shakeHands({ headers: { Host: `localhost:${edge.wss.port}` } })).toBe(101);
});

test('serves nothing else on that port', async () => {
  expect(await shakeHands({ path: '/' })).toBe(404);
  expect(await shakeHands({ path: '/sip/../sip' })).toBe(404);
  expect(await shakeHands({ method: 'POST' })).toBe(404);
  expect(await shakeHands({ headers: { Upgrade: undefined, Connection: undefined } })).toBe(426);
  expect(await shakeHands({ headers: { 'Sec-WebSocket-Protocol': 'chat' } })).toBe(400);
  expect(await shakeHands({ headers: { 'Sec-WebSocket-Protocol': undefined } })).toBe(400);
  expect(await shakeHands({ headers: { 'Sec-WebSocket-Version': '8' } })).toBe(426);
});

test('the port accepts TLS only, and the SIP ports no HTTP', async () => {
  const hello = `GET /sip HTTP/1.1\r\nHost: ${edge.wss.address}\r\nOrigin: ${consoleOrigin}\r\n\r\n`;
  expect(await sayInPlain(edge.wss, hello)).not.toContain('HTTP/1.1 1');
  expect(await sayInPlain(edge.public, hello)).toBe('');
});

function sayInPlain({ address, port }: { address: string; port: number }, text: string): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    const socket = connect(port, address, () => socket.write(text));
    socket.on('data', (bytes) => {
      said += bytes.toString('latin1');
    });
    socket.setTimeout(3_000, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.once('close', () => resolve(said));
  });
}

test('a browser registers, rings on its own connection, and either side ends the call', async () => {
  const extension = await fixture.addExtension('1000');
  const browser = await openBrowser();
  const registered = await browser.register(extension);
  expect(statusOf(registered)).toBe(200);
  expect(await readPresence(fixture.database, extension)).toMatchObject({
    isRegistered: true,
    transport: 'wss',
  });

  answerCalls(browser);
  for (const ends of ['node', 'browser'] as const) {
    const invite = inviteTo(node, extension);
    const answer = await node.ask(invite);
    if (!answer) throw new Error('No final response.');
    expect(statusOf(answer)).toBe(200);
    const callId = headerOf(invite, 'Call-ID');
    const ofCall = (method: string) => (message: Parameters<typeof methodOf>[0]) =>
      methodOf(message) === method && headerOf(message, 'Call-ID') === callId;
    const arrived = await browser.waitFor(ofCall('INVITE'));
    await node.ask(withinCall(invite, answer, 'ACK'), 1);
    await browser.waitFor(ofCall('ACK'));
    if (ends === 'node') {
      const ended = await node.ask(withinCall(invite, answer, 'BYE'));
      expect(ended && statusOf(ended)).toBe(200);
      await browser.waitFor(ofCall('BYE'));
    } else {
      node.onRequest((request) => node.send(answerOk(request)));
      const ended = await browser.ask(withinCallFromPhone(arrived, answer, 'BYE'));
      expect(ended && statusOf(ended)).toBe(200);
    }
  }
});

const answerOk = (request: Parameters<typeof headersOf>[0]) => ({
  startLine: 'SIP/2.0 200 OK',
  headers: request.headers.filter(([name]) => /^(via|from|to|call-id|cseq)$/i.test(name)),
  body: '',
});

test('closing a browser’s connection ends its registration', async () => {
  const extension = await fixture.addExtension('1001');
  const browser = await openBrowser();
  expect(statusOf(await browser.register(extension))).toBe(200);
  await browser.close();
  await until(
    async () => (await readPresence(fixture.database, extension))?.isRegistered === false,
    'the browser is not registered',
  );
  const answer = await node.ask(inviteTo(node, extension));
  expect(answer && statusOf(answer)).toBe(480);
});

test('an edge restart ends the registrations of browsers', async () => {
  const extension = await fixture.addExtension('1002');
  const browser = await openBrowser();
  expect(statusOf(await browser.register(extension))).toBe(200);
  await edge.engine.restart('kill');
  await until(
    async () => (await readPresence(fixture.database, extension))?.isRegistered === false,
    'the browser is not registered',
  );
});

test('a browser cannot use headers reserved for media nodes', async () => {
  const extension = await fixture.addExtension('1003');
  const browser = await openBrowser();
  const answer = await browser.ask({
    startLine: `INVITE sip:${extension.ramal}@${extension.domain} SIP/2.0`,
    headers: [
      ['From', '<sip:caller@node.test>;tag=1'],
      ['To', `<sip:${extension.ramal}@${extension.domain}>`],
      ['X-Disca-Leg', '1-plain'],
    ],
  });
  expect(answer && statusOf(answer)).toBe(407);
});
