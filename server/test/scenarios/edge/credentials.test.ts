import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  domain,
  type EdgeFixture,
  readPresence,
  startEdges,
  type TestEdge,
} from '../../harness/edge/edge.ts';
import {
  answerChallenge,
  type Credentials,
  openSipClient,
  type SipClient,
} from '../../harness/edge/sip-client.ts';
import { type SipMessage, statusOf } from '../../harness/edge/sip-message.ts';

let fixture: EdgeFixture;
let edge: TestEdge;
let own: Credentials;
let victim: Credentials;
let phone: SipClient;

beforeAll(async () => {
  fixture = await startEdges();
  edge = await fixture.startEdge();
  [own, victim] = [await fixture.addExtension('8001'), await fixture.addExtension('8002')];
  phone = await openSipClient({ server: edge.public });
});
afterAll(async () => {
  await phone?.close();
  await fixture?.close();
});

const status = (answer: SipMessage | undefined): number => (answer ? statusOf(answer) : 0);
const newCallId = (): string => randomBytes(8).toString('hex');

function request(method: 'REGISTER' | 'INVITE', ramal: string, called = '', callId = newCallId()) {
  const target = method === 'INVITE' ? `sip:${called}@${domain}` : `sip:${domain}`;
  const headers: [string, string][] = [
    ['From', `<sip:${ramal}@${domain}>;tag=a`],
    ['To', method === 'INVITE' ? `<${target}>` : `<sip:${ramal}@${domain}>`],
    ['Call-ID', callId],
    ['Contact', `<sip:${ramal}@127.0.0.1:9>`],
  ];
  return { startLine: `${method} ${target} SIP/2.0`, headers };
}

async function challenged(asked: ReturnType<typeof request>, who: Credentials): Promise<[string, string]> {
  const challenge = await phone.ask(asked);
  if (!challenge) throw new Error('There is no challenge.');
  return answerChallenge(who, asked.startLine, challenge);
}

test.for(['Proxy-Authorization first', 'Authorization first'])(
  'rejects a registration that mixes one extension’s name with another’s password, %s',
  async (order) => {
    const asked = request('REGISTER', victim.ramal);
    const right = await challenged(asked, own);
    const name: [string, string] = [
      'Proxy-Authorization',
      `Digest username="${victim.ramal}", realm="${domain}", nonce="x", uri="sip:${domain}", response="${'0'.repeat(32)}"`,
    ];
    const both = order.startsWith('Proxy') ? [name, right] : [right, name];
    expect(status(await phone.ask({ ...asked, headers: [...asked.headers, ...both] }))).toBe(403);
    expect(await readPresence(fixture.database, victim)).toBeUndefined();
  },
);

test('rejects a call with registrar credentials beside its own', async () => {
  const asked = request('INVITE', own.ramal, '5511987654321');
  const [, value] = await challenged(asked, own);
  const both: [string, string][] = [
    ['Proxy-Authorization', value],
    ['Authorization', value.replace(own.ramal, victim.ramal)],
  ];
  expect(status(await phone.ask({ ...asked, headers: [...asked.headers, ...both] }))).toBe(403);
});

test('captured credentials of a call work for no other number and no other call', async () => {
  const asked = request('INVITE', own.ramal, '5511987654321');
  const credentials = await challenged(asked, own);
  const neighbour = await openSipClient({ server: edge.public });
  const dialWith = async (other: ReturnType<typeof request>): Promise<number> =>
    status(await neighbour.ask({ ...other, headers: [...other.headers, credentials] }));
  const [, [, callId] = []] = [0, asked.headers.find(([name]) => name === 'Call-ID')];
  expect(await dialWith(request('INVITE', own.ramal, '5511900000000', callId))).toBe(403);
  expect(await dialWith(request('INVITE', own.ramal, '5511900000000'))).toBe(403);
  expect(await dialWith(request('INVITE', own.ramal, '5511987654321'))).toBe(407);
  await neighbour.close();
  // The owner is authenticated; the call fails only because no node is available.
  expect(status(await phone.ask({ ...asked, headers: [...asked.headers, credentials] }))).toBe(503);
});

test('a challenge for one number cannot be answered for another', async () => {
  const cheap = request('INVITE', own.ramal, '5511987654321');
  const challenge = await phone.ask(cheap);
  const [, callId] = cheap.headers.find(([name]) => name === 'Call-ID') ?? [];
  const dear = request('INVITE', own.ramal, '5511900000000', callId);
  if (!challenge) throw new Error('There is no challenge.');
  const credentials = answerChallenge(own, dear.startLine, challenge);
  expect(status(await phone.ask({ ...dear, headers: [...dear.headers, credentials] }))).toBe(407);
});
