import { answerTo, headerOf, methodOf, parseMessage, writeMessage } from '../edge/sip-message.ts';
import { openUdp } from '../edge/sip-transport.ts';

export interface RefusingCarrier {
  /** `host:port`, as in a trunk. */
  address: string;
  /** Dialled numbers in order of arrival. */
  asked: string[];
  close(): Promise<void>;
}

const spoken = /^INVITE sip:(\d+)@/;

/** Starts a carrier that rejects every call with the SIP status in the last three digits of its number. */
export async function startRefusingCarrier(address: string): Promise<RefusingCarrier> {
  const asked = new Map<string, string>();
  const discard = { address, port: 9 };
  const transport = await openUdp(discard, { address }, (text, from) => {
    const request = parseMessage(text);
    const number = spoken.exec(request.startLine)?.[1];
    if (number === undefined || methodOf(request) !== 'INVITE') return;
    asked.set(headerOf(request, 'Call-ID'), number);
    transport.send(writeMessage(answerTo(request, `${number.slice(-3)} No`)), from);
  });
  return {
    address: `${address}:${transport.local.port}`,
    get asked() {
      return [...asked.values()];
    },
    close: transport.close,
  };
}
