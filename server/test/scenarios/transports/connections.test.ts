import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { authorityFile } from '../../../../tools/dev/voice/certificates.ts';
import {
  answerCalls,
  inviteTo,
  openMediaNode,
  withinCall,
  withinCallFromPhone,
} from '../../harness/edge/calls.ts';
import { type EdgeFixture, readPresence, startEdges, type TestEdge } from '../../harness/edge/edge.ts';
import {
  type Credentials,
  consoleOrigin,
  openSipClient,
  type SipClient,
} from '../../harness/edge/sip-client.ts';
import { headerOf, headersOf, methodOf, type SipMessage, statusOf } from '../../harness/edge/sip-message.ts';
import { openTls } from '../../harness/edge/sip-transport.ts';

const advertised = '203.0.113.7';
let fixture: EdgeFixture;
let first: TestEdge;
let second: TestEdge;
let node: SipClient;
const clients: SipClient[] = [];

beforeAll(async () => {
  fixture = await startEdges();
  first = await fixture.startEdge({ FLOOD_REQUESTS: 1_000 });
  second = await fixture.startEdge(
    { FLOOD_REQUESTS: 1_000, PING_SECONDS: 1 },
    { advertisedAddress: advertised },
  );
  node = await openMediaNode(fixture, first);
  clients.push(node);
  await vi.waitFor(
    () => {
      for (const edge of [first, second]) {
        const dispatchers = edge.control('dispatcher.list');
        for (const { address, port } of [first.private, second.private, node.local])
          expect(dispatchers).toContain(`${address}:${port}`);
      }
    },
    { timeout: 120_000, interval: 250 },
  );
  answerCalls(node);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await fixture?.close();
});

type Speech = 'tcp' | 'tls' | 'wss';
const serverOf = (edge: TestEdge, transport: Speech) =>
  ({ tcp: edge.public, tls: edge.tls, wss: edge.wss })[transport];

/** Registers a phone over this connection that answers every call. */
async function addPhone(edge: TestEdge, transport: Speech, extension: Credentials): Promise<SipClient> {
  const phone = await openSipClient({ server: serverOf(edge, transport), transport });
  clients.push(phone);
  expect(statusOf(await phone.register(extension))).toBe(200);
  answerCalls(phone);
  return phone;
}

const status = (answer: SipMessage | undefined): number => (answer ? statusOf(answer) : 0);

const speeches: Speech[] = ['tcp', 'tls', 'wss'];

test.each(speeches)(
  'a phone over %s rings through another edge, and sends requests back through both',
  async (by) => {
    const extension = await fixture.addExtension(`70${speeches.indexOf(by)}0`);
    const phone = await addPhone(second, by, extension);
    expect(await readPresence(fixture.database, extension)).toMatchObject({
      isRegistered: true,
      transport: by,
    });
    const [presence] = await fixture.database.query<{ edge: number }>(
      `select p.edge from extension_presence p join extensions e on e.id = p.extension_id where e.ramal = $1`,
      [extension.ramal],
    );
    expect(presence?.edge).toBe(second.id);

    const invite = inviteTo(node, extension);
    const answer = await node.ask(invite);
    if (!answer) throw new Error('The phone did not answer.');
    expect(answer.startLine).toBe('SIP/2.0 200 OK');
    const arrived = await phone.waitFor((request) => methodOf(request) === 'INVITE');
    void node.ask(withinCall(invite, answer, 'ACK'), 1);
    await phone.waitFor((request) => methodOf(request) === 'ACK');
    expect(status(await node.ask(withinCall(invite, answer, 'INFO')))).toBe(200);
    await phone.waitFor((request) => methodOf(request) === 'INFO');
    expect(status(await phone.ask(withinCallFromPhone(arrived, answer, 'BYE')))).toBe(200);
    const callId = headerOf(invite, 'Call-ID');
    await node.waitFor((request) => methodOf(request) === 'BYE' && headerOf(request, 'Call-ID') === callId);
  },
);

test.each(speeches)('a phone over %s sees only the address that the edge advertises', async (by) => {
  const extension = await fixture.addExtension(`70${speeches.indexOf(by)}1`);
  const phone = await addPhone(second, by, extension);
  await node.ask(inviteTo(node, extension));
  const arrived = await phone.waitFor((request) => methodOf(request) === 'INVITE');
  const { port } = serverOf(second, by);
  expect(headersOf(arrived, 'Via')[0]).toContain(`${advertised}:${port}`);
  const [route = ''] = headersOf(arrived, 'Record-Route').flatMap((value) => value.split(','));
  expect(route).toContain(`${advertised}:${port}`);
  const shown = JSON.stringify(arrived);
  expect(shown).not.toContain(second.public.address);
});

test.each(speeches)('a phone over %s is registered no longer than its connection', async (by) => {
  const extension = await fixture.addExtension(`70${speeches.indexOf(by)}2`);
  const phone = await addPhone(first, by, extension);
  await phone.cut();
  await vi.waitFor(
    async () =>
      expect(await readPresence(fixture.database, extension)).toMatchObject({ isRegistered: false }),
    { timeout: 120_000, interval: 100 },
  );
  expect(status(await node.ask(inviteTo(node, extension)))).toBe(480);
});

/** The endpoint that a node uses for the phone, by transport. */
const kinds = { tcp: 'plain', tls: 'srtp', wss: 'webrtc' };

test.each(speeches)(
  'a phone over %s starts a call, and the node sends requests back over its connection',
  async (by) => {
    const extension = await fixture.addExtension(`70${speeches.indexOf(by)}3`);
    const phone = await addPhone(first, by, extension);
    const { invite, answer } = await startCall(phone, by, extension, `begun-${by}`);
    const ofCall = (method: string) => (request: SipMessage) =>
      methodOf(request) === method && headerOf(request, 'Call-ID') === `begun-${by}`;
    const arrived = await node.waitFor(ofCall('INVITE'));
    expect(headersOf(arrived, 'X-Disca-Leg')).toEqual([`${first.id}-${kinds[by]}`]);
    void phone.ask(withinCall(invite, answer, 'ACK'), 1);
    await node.waitFor(ofCall('ACK'));
    expect(status(await node.ask(withinCallFromPhone(arrived, answer, 'INFO')))).toBe(200);
    await phone.waitFor(ofCall('INFO'));
    expect(status(await node.ask(withinCallFromPhone(arrived, answer, 'BYE')))).toBe(200);
    await phone.waitFor(ofCall('BYE'));
  },
);

test.each(speeches)(
  'AUDIO-08 a phone over %s that reconnects during a call gets the requests of that call over its new connection',
  async (by) => {
    const extension = await fixture.addExtension(`70${speeches.indexOf(by)}4`);
    for (const edge of [first, second]) {
      const before = await addPhone(first, by, extension);
      const invite = inviteTo(node, extension);
      const answer = await node.ask(invite);
      if (!answer) throw new Error('The phone did not answer.');
      void node.ask(withinCall(invite, answer, 'ACK'), 1);
      await before.waitFor((request) => methodOf(request) === 'ACK');
      await before.close();
      const after = await addPhone(edge, by, extension);
      expect(status(await node.ask(withinCall(invite, answer, 'BYE')))).toBe(200);
      const callId = headerOf(invite, 'Call-ID');
      await after.waitFor(
        (request) => methodOf(request) === 'BYE' && headerOf(request, 'Call-ID') === callId,
      );
      await after.close();
    }
  },
);

test.each(speeches)(
  'AUDIO-08 a calling phone over %s that reconnects gets the BYE of its call over its new connection',
  async (by) => {
    const extension = await fixture.addExtension(`70${speeches.indexOf(by)}5`);
    for (const edge of [first, second]) {
      const callId = `reconnected-${by}-${edge.id}`;
      const before = await addPhone(first, by, extension);
      const { invite, answer } = await startCall(before, by, extension, callId);
      const ofCall = (method: string) => (request: SipMessage) =>
        methodOf(request) === method && headerOf(request, 'Call-ID') === callId;
      const arrived = await node.waitFor(ofCall('INVITE'));
      void before.ask(withinCall(invite, answer, 'ACK'), 1);
      await node.waitFor(ofCall('ACK'));
      await before.close();
      const after = await addPhone(edge, by, extension);
      expect(status(await node.ask(withinCallFromPhone(arrived, answer, 'BYE')))).toBe(200);
      await after.waitFor(ofCall('BYE'));
      await after.close();
    }
  },
);

test.each(speeches)(
  'AUDIO-08 a phone over %s that reconnects after the other party hung up gets the repeated BYE',
  async (by) => {
    const extension = await fixture.addExtension(`70${speeches.indexOf(by)}6`);
    const before = await addPhone(first, by, extension);
    const invite = inviteTo(node, extension);
    const answer = await node.ask(invite);
    if (!answer) throw new Error('The phone did not answer.');
    void node.ask(withinCall(invite, answer, 'ACK'), 1);
    await before.waitFor((request) => methodOf(request) === 'ACK');
    await first.engine.restart('kill');
    const ended = node.ask(withinCall(invite, answer, 'BYE'), 60_000);
    // Long enough for several repetitions while the phone is not connected.
    await sleep(1_200);
    const after = await addPhone(first, by, extension);
    expect(status(await ended)).toBe(200);
    await after.waitFor((request) => methodOf(request) === 'BYE');
  },
);

/** Starts a call of the phone, which the node answers. */
async function startCall(phone: SipClient, by: Speech, extension: Credentials, callId: string) {
  await nodeTakesCalls();
  const { ramal, domain } = extension;
  const invite = {
    startLine: `INVITE sip:5511987654321@${domain} SIP/2.0`,
    headers: [
      ['From', `<sip:${ramal}@${domain}>;tag=${ramal}`],
      ['To', `<sip:5511987654321@${domain}>`],
      ['Call-ID', callId],
      ['Contact', `<sip:${ramal}@${phone.local.address};transport=${by === 'wss' ? 'ws' : by}>`],
    ] as [string, string][],
    body: '',
  };
  const answer = await vi.waitFor(
    async () => {
      const given = await phone.askAs(extension, invite);
      expect(status(given)).toBe(200);
      return given;
    },
    { timeout: 120_000, interval: 250 },
  );
  if (!answer) throw new Error('The node did not answer.');
  return { invite, answer };
}

/** Marks the node as connected to a controller. */
const nodeTakesCalls = () =>
  fixture.database.query(`update media_nodes set connected = true, last_seen_at = now() + interval '1 hour'`);

test('rejects TLS older than 1.2', async () => {
  const ignore = (): void => undefined;
  await expect(openTls(first.tls, {}, ignore, 'TLSv1.1')).rejects.toThrow();
  await expect(openTls(first.wss, {}, ignore, 'TLSv1.1')).rejects.toThrow();
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const open = await openTls(first.tls, {}, ignore, version);
    await open.close();
  }
});

test('the TLS ports respond to nothing unencrypted', async () => {
  const options = `OPTIONS sip:edge SIP/2.0\r\nVia: SIP/2.0/TCP 127.0.0.1;branch=z9hG4bK1\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:edge>\r\nCall-ID: 1\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n`;
  for (const place of [first.tls, first.wss]) {
    const said = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(place.port, place.address, () => socket.write(options));
      socket.on('data', (bytes) => {
        text += bytes.toString('latin1');
      });
      socket.on('error', () => undefined);
      socket.setTimeout(3_000, () => socket.destroy());
      socket.once('close', () => resolve(text));
    });
    expect(said).not.toContain('SIP/2.0');
  }
});

test('keeps the NAT mapping to a phone open: answers a CRLF, pings a browser', async () => {
  const socket = connectTls({
    host: second.tls.address,
    port: second.tls.port,
    ca: readFileSync(authorityFile),
  });
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  socket.write('\r\n\r\n');
  const answer = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
  expect(answer.toString()).toBe('\r\n');
  socket.destroy();

  const browser = new WebSocket(`wss://${second.wss.address}:${second.wss.port}/sip`, 'sip', {
    origin: consoleOrigin,
    ca: readFileSync(authorityFile),
  });
  await new Promise((resolve) => browser.once('ping', resolve));
  browser.terminate();
});

test('failed logins over a WebSocket count like all others', async () => {
  const extension = await fixture.addExtension('7777');
  const guesser = await openSipClient({
    server: first.wss,
    transport: 'wss',
    local: { address: '127.0.0.66' },
  });
  clients.push(guesser);
  const guess = () => guesser.register({ ...extension, senha: 'wrong' });
  for (let count = 0; count < 5; count += 1) expect(statusOf(await guess())).toBe(403);
  expect(first.log()).toContain('ban pair address=127.0.0.66');
  expect(statusOf(await guesser.register(extension))).toBe(403);
});
