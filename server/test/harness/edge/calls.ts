import { setTimeout as sleep } from 'node:timers/promises';
import type { EdgeFixture, TestEdge } from './edge.ts';
import { type Credentials, openSipClient, type SipClient } from './sip-client.ts';
import { answerTo, headerOf, headersOf, methodOf, type SipMessage, uriOf } from './sip-message.ts';

const learnMs = 120_000;
const pollMs = 100;
const timeoutMs = 1_000;

/** Opens a client on the private side that the edges trust like a media node. */
export async function openMediaNode(
  fixture: Pick<EdgeFixture, 'addMediaNode'>,
  edge: Pick<TestEdge, 'private'>,
): Promise<SipClient> {
  const node = await openSipClient({ server: edge.private, userAgent: 'Media Node' });
  await fixture.addMediaNode(node.local);
  const deadline = Date.now() + learnMs;
  while (
    !(await node.ask({ startLine: 'OPTIONS sip:edge SIP/2.0', headers: people('probe', 'edge') }, timeoutMs))
  ) {
    if (Date.now() > deadline) throw new Error('The edge does not trust the media node.');
    await sleep(pollMs);
  }
  return node;
}

const people = (from: string, to: string): [string, string][] => [
  ['From', `<sip:${from}@node.test>;tag=node-${from}`],
  ['To', `<sip:${to}>`],
];

let calls = 0;

/** Returns the INVITE of a media node to an extension. */
export function inviteTo(
  node: SipClient,
  { ramal, domain }: Credentials,
  more: [string, string][] = [],
): SipMessage {
  calls += 1;
  return {
    startLine: `INVITE sip:${ramal}@${domain} SIP/2.0`,
    headers: [
      ...people('caller', `${ramal}@${domain}`),
      ['Call-ID', `call-${calls}-${node.local.port}`],
      ['Contact', `<sip:node@${node.local.address}:${node.local.port}>`],
      ['Content-Type', 'application/sdp'],
      ...more,
    ],
    body: 'v=0\r\n',
  };
}

/** Makes a phone answer every INVITE, and every request within its dialog, with 200. */
export function answerCalls(
  phone: SipClient,
  status = '200 OK',
  more: [string, string][] = [],
  body = '',
): void {
  const { address, port } = phone.local;
  const contact: [string, string] = ['Contact', `<sip:phone@${address}:${port}>`];
  phone.onRequest((request) => {
    const method = methodOf(request);
    if (method === 'ACK') return;
    const own = more.some(([name]) => name === 'Contact') ? more : [contact, ...more];
    phone.send(method === 'INVITE' ? answerTo(request, status, own, body) : answerTo(request, '200 OK'));
  });
}

/** Returns a request in the dialog of this INVITE and its response, as the caller sends it. */
export function withinCall(invite: SipMessage, answer: SipMessage, method: string): SipMessage {
  return {
    startLine: `${method} ${uriOf(headerOf(answer, 'Contact'))} SIP/2.0`,
    headers: [
      ['From', headerOf(invite, 'From')],
      ['To', headerOf(answer, 'To')],
      ['Call-ID', headerOf(invite, 'Call-ID')],
      ['CSeq', `${method === 'ACK' ? 1 : 20} ${method}`],
      ...headersOf(answer, 'Record-Route')
        .flatMap((value) => value.split(','))
        .reverse()
        .map((value): [string, string] => ['Route', value.trim()]),
    ],
    body: '',
  };
}

/**
 * Returns such a request as the callee sends it, built from the received INVITE and the tag of the callee's response.
 */
export function withinCallFromPhone(arrived: SipMessage, answer: SipMessage, method: string): SipMessage {
  return {
    startLine: `${method} ${uriOf(headerOf(arrived, 'Contact'))} SIP/2.0`,
    headers: [
      ['From', headerOf(answer, 'To')],
      ['To', headerOf(arrived, 'From')],
      ['Call-ID', headerOf(arrived, 'Call-ID')],
      ['CSeq', `40 ${method}`],
      ...headersOf(arrived, 'Record-Route')
        .flatMap((value) => value.split(','))
        .map((value): [string, string] => ['Route', value.trim()]),
    ],
    body: '',
  };
}

/** Returns how many calls have rung the phone. The edge repeats an INVITE that a slow phone answers late. */
export const countRings = ({ requests }: SipClient): number =>
  new Set(requests.filter((each) => methodOf(each) === 'INVITE').map((each) => headerOf(each, 'Via'))).size;
