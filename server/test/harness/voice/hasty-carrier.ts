import {
  answerTo,
  headerOf,
  parseMessage,
  type SipMessage,
  statusOf,
  uriOf,
  writeMessage,
} from '../edge/sip-message.ts';
import { openUdp } from '../edge/sip-transport.ts';

export interface HastyCarrier {
  /** `host:port`, as in a trunk. */
  address: string;
  close(): Promise<void>;
}

const maxByes = 50;

/** Starts a carrier that answers every call and hangs up in the same instant, before its answer is acknowledged. */
export async function startHastyCarrier(address: string): Promise<HastyCarrier> {
  const discard = { address, port: 9 };
  const byes = new Map<string, (count: number) => string>();
  const transport = await openUdp(discard, { address }, (text, from) => {
    const message = parseMessage(text);
    const callId = headerOf(message, 'Call-ID');
    const local = `${address}:${transport.local.port}`;
    if (message.startLine.startsWith('INVITE ')) {
      const headers: [string, string][] = [
        ['Contact', `<sip:carrier@${local}>`],
        ['Content-Type', 'application/sdp'],
      ];
      const answer = answerTo(message, '200 OK', headers, sdpAt(address));
      const bye = (count: number): string => writeMessage(byeOf(message, answer, local, count));
      byes.set(callId, bye);
      transport.send(writeMessage(answer), from);
      transport.send(bye(1), from);
    }
    // The caller may read the BYE before the answer, and does not know the dialog then.
    const count = Number.parseInt(headerOf(message, 'CSeq'), 10);
    const again = statusOf(message) === unknownDialog && count < maxByes ? byes.get(callId) : undefined;
    if (again) transport.send(again(count + 1), from);
  });
  return { address: `${address}:${transport.local.port}`, close: transport.close };
}

const unknownDialog = 481;

const sdpAt = (address: string): string =>
  [
    'v=0',
    `o=- 1 1 IN IP4 ${address}`,
    's=-',
    `c=IN IP4 ${address}`,
    't=0 0',
    'm=audio 40000 RTP/AVP 8',
    'a=rtpmap:8 PCMA/8000',
    '',
  ].join('\r\n');

/** Returns the BYE of the called party, whose From is the To of its answer. */
const byeOf = (invite: SipMessage, answer: SipMessage, local: string, count: number): SipMessage => ({
  startLine: `BYE ${uriOf(headerOf(invite, 'Contact'))} SIP/2.0`,
  headers: [
    ['Via', `SIP/2.0/UDP ${local};branch=z9hG4bK-${count}-${headerOf(invite, 'Call-ID')}`],
    ['Max-Forwards', '70'],
    ['From', headerOf(answer, 'To')],
    ['To', headerOf(invite, 'From')],
    ['Call-ID', headerOf(invite, 'Call-ID')],
    ['CSeq', `${count} BYE`],
  ],
  body: '',
});
