import { randomBytes } from 'node:crypto';
import { withinCall, withinCallFromPhone } from '../../harness/edge/calls.ts';
import { type Credentials, openSipClient, type SipClient } from '../../harness/edge/sip-client.ts';
import { answerTo, headerOf, methodOf, type SipMessage, statusOf } from '../../harness/edge/sip-message.ts';
import type { Address } from '../../harness/edge/sip-transport.ts';
import { extensionBody } from '../../harness/fixtures/extensions.ts';
import type { TestAccount } from '../../harness/people.ts';
import type { VoicePlatform } from '../../harness/voice/voice-platform.ts';

/** A registered phone without media encryption, whose test decides what it answers and where its audio comes from. */
export interface PlainPhone {
  readonly ramal: string;
  /** Returns the next call that rings, and where the media node expects its audio. */
  nextCall(): Promise<RingingCall>;
  /** Dials with this audio address, and returns where the media node expects the audio once the call is answered. */
  dial(called: string, audio: Address): Promise<Address>;
  close(): Promise<void>;
}

export interface RingingCall {
  readonly nodeAudio: Address;
  /** Answers with this audio address in the session description. */
  answer(audio: Address): void;
  /** Sends a re-INVITE with this audio address, and returns where the media node expects the audio then. */
  change(audio: Address, direction?: 'sendrecv' | 'sendonly'): Promise<Address>;
}

/** All its SIP messages come from this address. */
export const phoneAddress = '127.0.0.1';

const sdpType: [string, string] = ['Content-Type', 'application/sdp'];

export async function addPlainPhone(platform: VoicePlatform, account: TestAccount): Promise<PlainPhone> {
  const senha = randomBytes(9).toString('base64url');
  const { body } = await account.admin.client.post('/extensions', extensionBody({ senha }));
  const { ramal } = body as { ramal: string };
  const server = platform.engines.edges[0]?.place.public;
  if (!server) throw new Error('There is no edge.');
  const client = await openSipClient({ server, local: { address: phoneAddress } });
  const extension = { ramal, domain: account.domain, senha };
  const registered = await client.register(extension);
  if (statusOf(registered) !== 200) throw new Error(`Registering returned ${registered.startLine}.`);
  const rung = new Set<string>();
  // A response may be lost; the edge then repeats the INVITE.
  const responses = new Map<string, SipMessage>();
  const respond = (response: SipMessage): void => {
    responses.set(headerOf(response, 'Call-ID'), response);
    client.send(response);
  };
  client.onRequest((request) => {
    const earlier = responses.get(headerOf(request, 'Call-ID'));
    if (methodOf(request) === 'INVITE' && earlier) client.send(earlier);
    else if (methodOf(request) !== 'ACK' && methodOf(request) !== 'INVITE')
      client.send(answerTo(request, '200 OK'));
  });
  return {
    ramal,
    async nextCall() {
      const isNew = (request: SipMessage): boolean =>
        methodOf(request) === 'INVITE' && !rung.has(headerOf(request, 'Call-ID'));
      const invite = await client.waitFor(isNew);
      rung.add(headerOf(invite, 'Call-ID'));
      respond(answerTo(invite, '180 Ringing', [contactOf(client)]));
      return ringingCall(client, invite, respond);
    },
    dial: (called, audio) => dial(client, extension, called, audio),
    close: () => client.close(),
  };
}

async function dial(
  client: SipClient,
  extension: Credentials,
  called: string,
  audio: Address,
): Promise<Address> {
  const { ramal, domain } = extension;
  const headers: [string, string][] = [
    ['From', `<sip:${ramal}@${domain}>;tag=${randomBytes(4).toString('hex')}`],
    ['To', `<sip:${called}@${domain}>`],
    ['Call-ID', randomBytes(8).toString('hex')],
    contactOf(client),
    sdpType,
  ];
  const startLine = `INVITE sip:${called}@${domain} SIP/2.0`;
  const invite = { startLine, headers, body: describe(audio, 'sendrecv') };
  const answer = await client.askAs(extension, invite);
  if (!answer || statusOf(answer) !== 200) throw new Error(`The INVITE got ${answer?.startLine}.`);
  acknowledge(client, withinCall(invite, answer, 'ACK'), answer);
  return audioOf(answer);
}

function ringingCall(
  client: SipClient,
  invite: SipMessage,
  respond: (response: SipMessage) => void,
): RingingCall {
  let sequence = 40;
  let answered: SipMessage | undefined;
  return {
    nodeAudio: audioOf(invite),
    answer(audio) {
      answered = answerTo(invite, '200 OK', [contactOf(client), sdpType], describe(audio, 'sendrecv'));
      respond(answered);
    },
    async change(audio, direction = 'sendrecv') {
      if (!answered) throw new Error('The call is not answered.');
      sequence += 1;
      const request = withinCallFromPhone(invite, answered, 'INVITE');
      const headers = request.headers.filter(([name]) => name !== 'CSeq');
      const response = await client.ask({
        ...request,
        headers: [...headers, ['CSeq', `${sequence} INVITE`], contactOf(client), sdpType],
        body: describe(audio, direction),
      });
      if (!response || statusOf(response) !== 200)
        throw new Error(`The re-INVITE got ${response?.startLine}.`);
      acknowledge(client, withinCallFromPhone(invite, answered, 'ACK'), response);
      return audioOf(response);
    },
  };
}

/** Sends an ACK with the sequence number of the request that was answered. */
function acknowledge(client: SipClient, ack: SipMessage, answer: SipMessage): void {
  const { address, port } = client.local;
  const branch = `z9hG4bK${randomBytes(8).toString('hex')}`;
  const [sequence] = headerOf(answer, 'CSeq').split(' ');
  const headers: SipMessage['headers'] = [
    ['Via', `SIP/2.0/UDP ${address}:${port};rport;branch=${branch}`],
    ['Max-Forwards', '70'],
    ...ack.headers.filter(([name]) => name !== 'CSeq'),
    ['CSeq', `${sequence} ACK`],
  ];
  client.send({ ...ack, headers });
}

const contactOf = ({ local: { address, port } }: SipClient): [string, string] => [
  'Contact',
  `<sip:phone@${address}:${port}>`,
];

/** Returns the address and port of a session description. */
export function audioOf({ body }: SipMessage): Address {
  const address = /^c=IN IP4 ([\d.]+)\r?$/m.exec(body)?.[1] ?? '';
  return { address, port: Number(/^m=audio (\d+) /m.exec(body)?.[1] ?? 0) };
}

export const describe = ({ address, port }: Address, direction: string): string =>
  [
    'v=0',
    'o=- 1 1 IN IP4 192.168.77.2',
    's=-',
    `c=IN IP4 ${address}`,
    't=0 0',
    `m=audio ${port} RTP/AVP 8`,
    'a=rtpmap:8 PCMA/8000',
    `a=${direction}`,
    '',
  ].join('\r\n');
