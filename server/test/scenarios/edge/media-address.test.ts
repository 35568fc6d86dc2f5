import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  answerCalls,
  inviteTo,
  openMediaNode,
  withinCall,
  withinCallFromPhone,
} from '../../harness/edge/calls.ts';
import { domain, type EdgeFixture, startEdges, type TestEdge } from '../../harness/edge/edge.ts';
import {
  type ClientOptions,
  type Credentials,
  openSipClient,
  type SipClient,
} from '../../harness/edge/sip-client.ts';
import { answerTo, headerOf, methodOf, type SipMessage, statusOf } from '../../harness/edge/sip-message.ts';
import { until } from '../../harness/until.ts';

let fixture: EdgeFixture;
let edge: TestEdge;
let node: SipClient;
const clients: SipClient[] = [];
let extensions = 6_000;

beforeAll(async () => {
  fixture = await startEdges();
  edge = await fixture.startEdge({ FLOOD_REQUESTS: 1_000, PEERS_SECONDS: 1 });
  node = await openMediaNode(fixture, edge);
  clients.push(node);
  await fixture.database.query(
    `update media_nodes set connected = true, last_seen_at = now() + interval '1 hour'`,
  );
  answerCalls(node, '200 OK', [['Content-Type', 'application/sdp']], describe('203.0.113.9'));
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await fixture.close();
});
beforeEach(() => allowAnyMedia(false));

/** The edge reads the accounts every second. */
async function allowAnyMedia(isAllowed: boolean): Promise<void> {
  await fixture.database.query('update accounts set media_from_any_address = $1 where domain = $2', [
    isAllowed,
    domain,
  ]);
  const round = (): number =>
    Number(/value: (\d+)/.exec(edge.control('htable.get', 'read_media', 'round'))?.[1]);
  const before = round();
  await until(async () => round() > before + 1, 'the edge has read the accounts');
}

const own = '127.0.0.1';
const declared = '192.168.77.2';
const sdpType: [string, string] = ['Content-Type', 'application/sdp'];

function describe(address: string, more: string[] = []): string {
  const lines = [
    'v=0',
    'o=- 1 1 IN IP4 192.168.77.2',
    's=-',
    `c=IN IP4 ${address}`,
    't=0 0',
    'm=audio 4000 RTP/AVP 8',
  ];
  return [...lines, ...more, 'a=sendrecv', ''].join('\r\n');
}

const addressesIn = ({ body }: SipMessage): string[] =>
  [...body.matchAll(/^c=IN IP4 (.*)\r$/gm)].map(([, address = '']) => address);

type TransportName = NonNullable<ClientOptions['transport']>;

async function register(transport: TransportName): Promise<{ phone: SipClient; extension: Credentials }> {
  const server = { udp: edge.public, tcp: edge.public, tls: edge.tls, wss: edge.wss }[transport];
  const phone = await openSipClient({ server, transport });
  clients.push(phone);
  extensions += 1;
  const extension = await fixture.addExtension(String(extensions));
  expect(statusOf(await phone.register(extension))).toBe(200);
  return { phone, extension };
}

let dialled = 0;

/** Dials with this session description, and returns the INVITE that the node gets. */
async function dial({ phone, extension }: Awaited<ReturnType<typeof register>>, body: string) {
  dialled += 1;
  const callId = `dialled-${dialled}`;
  const headers: [string, string][] = [
    ['From', `<sip:${extension.ramal}@${domain}>;tag=a`],
    ['To', `<sip:5511987654321@${domain}>`],
    ['Call-ID', callId],
    ['Contact', `<sip:${extension.ramal}@${phone.local.address}:${phone.local.port}>`],
    sdpType,
  ];
  const startLine = `INVITE sip:5511987654321@${domain} SIP/2.0`;
  const answer = await phone.askAs(extension, { startLine, headers, body });
  expect(answer && statusOf(answer)).toBe(200);
  return await node.waitFor((request) => headerOf(request, 'Call-ID') === callId);
}

test.for(['udp', 'tcp'] as const)(
  'EXT-28 the audio address of a phone over %s is its source address, in calls from and to it',
  async (transport) => {
    const registered = await register(transport);
    const { phone, extension } = registered;
    const twice = describe(declared, ['c=IN IP4 203.0.113.7']);
    const dialled = await dial(registered, twice);
    expect(addressesIn(dialled)).toEqual([own, own]);
    expect(dialled.body).toBe(twice.replaceAll(/^c=IN IP4 .*$/gm, `c=IN IP4 ${own}`));

    answerCalls(phone, '200 OK', [sdpType], describe(declared));
    const invite = inviteTo(node, extension);
    const answer = await node.ask(invite);
    expect(answer && addressesIn(answer)).toEqual([own]);
  },
);

test('EXT-28 the same applies to re-INVITEs, their answers and late answers in ACK', async () => {
  const { phone, extension } = await register('udp');
  answerCalls(phone, '200 OK', [sdpType], describe(declared));
  const invite = inviteTo(node, extension);
  const answer = await node.ask(invite);
  if (!answer) throw new Error('The phone did not answer.');
  const callId = headerOf(invite, 'Call-ID');
  const arrived = await phone.waitFor((request) => headerOf(request, 'Call-ID') === callId);
  const answered = answerTo(arrived, '200 OK');

  const again = { ...withinCall(invite, answer, 'INVITE'), body: describe('203.0.113.9') };
  const second = await node.ask({ ...again, headers: [...again.headers, sdpType] });
  expect(second && addressesIn(second)).toEqual([own]);

  const change = withinCallFromPhone(arrived, answered, 'INVITE');
  const contact: [string, string] = ['Contact', `<sip:phone@${own}:${phone.local.port}>`];
  const headers = [...change.headers, contact, sdpType];
  await phone.ask({ ...change, headers, body: describe(declared) });
  const changed = await node.waitFor(
    (request) => methodOf(request) === 'INVITE' && headerOf(request, 'Call-ID') === callId,
  );
  expect(addressesIn(changed)).toEqual([own]);

  const ack = withinCallFromPhone(arrived, answered, 'ACK');
  const via: [string, string] = ['Via', `SIP/2.0/UDP ${own}:${phone.local.port};rport;branch=z9hG4bKack`];
  const sent = [via, ['Max-Forwards', '70'] satisfies [string, string], ...ack.headers, sdpType];
  phone.send({ ...ack, headers: sent, body: describe(declared) });
  const late = await node.waitFor(
    (request) => methodOf(request) === 'ACK' && headerOf(request, 'Call-ID') === callId,
  );
  expect(addressesIn(late)).toEqual([own]);
});

test('EXT-28 hold with the address 0.0.0.0 and encrypted phones are left as they are', async () => {
  expect(addressesIn(await dial(await register('udp'), describe('0.0.0.0')))).toEqual(['0.0.0.0']);
  for (const transport of ['tls', 'wss'] as const)
    expect(addressesIn(await dial(await register(transport), describe(declared)))).toEqual([declared]);
});

test('EXT-29 phones of an account that allows it keep their audio address, until it no longer does', async () => {
  const registered = await register('udp');
  const { phone, extension } = registered;
  answerCalls(phone, '200 OK', [sdpType], describe(declared));
  const called = async (): Promise<string[]> => {
    const answer = await node.ask(inviteTo(node, extension));
    return answer ? addressesIn(answer) : [];
  };
  await allowAnyMedia(true);
  expect(addressesIn(await dial(registered, describe(declared)))).toEqual([declared]);
  expect(await called()).toEqual([declared]);
  await allowAnyMedia(false);
  expect(addressesIn(await dial(registered, describe(declared)))).toEqual([own]);
  expect(await called()).toEqual([own]);
});
