import { createHash, randomBytes } from 'node:crypto';
import { headerOf, headersOf, parseMessage, type SipMessage, statusOf, writeMessage } from './sip-message.ts';
import { type Address, openTcp, openUdp, type Transport } from './sip-transport.ts';

export interface Credentials {
  ramal: string;
  domain: string;
  senha: string;
}

export interface ClientOptions {
  server: Address;
  transport?: 'udp' | 'tcp';
  /** Where it speaks from; any free port of 127.0.0.1 when absent. */
  local?: Partial<Address>;
  userAgent?: string;
}

export interface Registration extends Credentials {
  /** What the user agent says; the registrar decides. */
  expiresSeconds?: number;
  /** A login of its own when another than the client's first. */
  callId?: string;
  contact?: string;
}

export interface SipClient {
  readonly local: Address;
  readonly callId: string;
  /** Every request that has arrived, retransmissions included. */
  readonly requests: SipMessage[];
  /** Registers and gives the last answer; a challenge is answered once. */
  register(registration: Registration): Promise<SipMessage>;
  /** Sends a request with what it lacks, retransmits it, and gives the final answer; undefined when there is none. */
  ask(request: Partial<SipMessage> & { startLine: string }, waitMs?: number): Promise<SipMessage | undefined>;
  /** The same, answering a challenge with these credentials. */
  askAs(
    who: Credentials,
    request: { startLine: string; headers: [string, string][] },
  ): Promise<SipMessage | undefined>;
  send(message: SipMessage | string | Buffer, to?: Address): void;
  /** What to do with requests that arrive; without a handler they are only kept. */
  onRequest(handle: (request: SipMessage, from: Address) => void): void;
  /** The first request that arrives, or has arrived, for which this holds. */
  waitFor(holds: (request: SipMessage) => boolean, waitMs?: number): Promise<SipMessage>;
  close(): Promise<void>;
}

const retransmitMs = 500;
const finalAnswerMs = 10_000;
const random = (): string => randomBytes(8).toString('hex');

export async function openSipClient(options: ClientOptions): Promise<SipClient> {
  const requests: SipMessage[] = [];
  const answers = new Map<string, (answer: SipMessage) => void>();
  const listeners = new Set<(request: SipMessage) => void>();
  let handler: ((request: SipMessage, from: Address) => void) | undefined;
  let sequence = 0;

  const open = options.transport === 'tcp' ? openTcp : openUdp;
  const transport: Transport = await open(options.server, options.local ?? {}, (text, from) => {
    if (text.trim() === '' || text.startsWith('\0')) return;
    const message = parseMessage(text);
    if (statusOf(message) > 0) return answers.get(branchOf(message))?.(message);
    requests.push(message);
    for (const listener of listeners) listener(message);
    handler?.(message, from);
  });
  const { address, port } = transport.local;
  const ownCallId = random();
  const userAgent = options.userAgent ?? 'Test Phone 1.0';

  const send: SipClient['send'] = (message, to) => {
    const bytes = typeof message === 'string' || Buffer.isBuffer(message) ? message : writeMessage(message);
    transport.send(bytes, to);
  };

  const ask: SipClient['ask'] = (request, waitMs = finalAnswerMs) => {
    const branch = `z9hG4bK${random()}`;
    const headers = [...(request.headers ?? [])];
    const add = (name: string, value: string): void => {
      if (!headers.some(([own]) => own.toLowerCase() === name.toLowerCase())) headers.push([name, value]);
    };
    headers.unshift(['Via', `SIP/2.0/${transport.protocol} ${address}:${port};rport;branch=${branch}`]);
    sequence += 1;
    add('Max-Forwards', '70');
    add('Call-ID', ownCallId);
    add('CSeq', `${sequence} ${request.startLine.split(' ')[0]}`);
    add('User-Agent', userAgent);
    const message = { startLine: request.startLine, headers, body: request.body ?? '' };
    return new Promise((resolve) => {
      const settle = (answer?: SipMessage): void => {
        clearInterval(again);
        clearTimeout(deadline);
        answers.delete(branch);
        resolve(answer);
      };
      const deadline = setTimeout(settle, waitMs);
      const again = setInterval(() => transport.protocol === 'UDP' && send(message), retransmitMs);
      answers.set(branch, (answer) => {
        if (statusOf(answer) >= 200) settle(answer);
        else clearInterval(again);
      });
      send(message);
    });
  };

  const askAs: SipClient['askAs'] = async (who, request) => {
    const first = await ask(request);
    if (first === undefined || ![401, 407].includes(statusOf(first))) return first;
    const credentials = answerChallenge(who, request.startLine, first);
    return await ask({ ...request, headers: [...request.headers, credentials] });
  };

  return {
    local: { address, port },
    callId: ownCallId,
    requests,
    send,
    ask,
    askAs,
    async register(registration) {
      const { ramal, domain, expiresSeconds = 120, callId = ownCallId } = registration;
      const contact =
        registration.contact ??
        `<sip:${ramal}@${address}:${port};transport=${transport.protocol.toLowerCase()}>`;
      const answer = await askAs(registration, {
        startLine: `REGISTER sip:${domain} SIP/2.0`,
        headers: [
          ['From', `<sip:${ramal}@${domain}>;tag=${random()}`],
          ['To', `<sip:${ramal}@${domain}>`],
          ['Call-ID', callId],
          ['Contact', contact],
          ['Expires', String(expiresSeconds)],
        ],
      });
      return answer ?? { startLine: '', headers: [], body: '' };
    },
    onRequest(handle) {
      handler = handle;
    },
    waitFor(holds, waitMs = finalAnswerMs) {
      const known = requests.find(holds);
      if (known) return Promise.resolve(known);
      return new Promise((resolve, reject) => {
        const settle = (): void => {
          clearTimeout(deadline);
          listeners.delete(listener);
        };
        const listener = (request: SipMessage): void => {
          if (!holds(request)) return;
          settle();
          resolve(request);
        };
        const deadline = setTimeout(() => {
          settle();
          reject(new Error(`No such request arrived within ${waitMs} ms.`));
        }, waitMs);
        listeners.add(listener);
      });
    },
    close: () => transport.close(),
  };
}

const branchOf = (message: SipMessage): string =>
  /;branch=([^;,\s]+)/.exec(headerOf(message, 'Via'))?.[1] ?? '';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** The header that answers a digest challenge, as RFC 2617 has it with qop=auth and without. */
export function answerChallenge(
  who: Credentials,
  startLine: string,
  challenge: SipMessage,
): [string, string] {
  const isProxy = statusOf(challenge) === 407;
  const [text = ''] = headersOf(challenge, isProxy ? 'Proxy-Authenticate' : 'WWW-Authenticate');
  const value = (name: string): string => new RegExp(`${name}="?([^",]+)`).exec(text)?.[1] ?? '';
  const [method = '', uri = ''] = startLine.split(' ');
  const realm = value('realm');
  const nonce = value('nonce');
  const ha1 = md5(`${who.ramal}:${realm}:${who.senha}`);
  const ha2 = md5(`${method}:${uri}`);
  const cnonce = random();
  const withQop = /qop="?[^"]*auth/.test(text);
  const response = withQop
    ? md5(`${ha1}:${nonce}:00000001:${cnonce}:auth:${ha2}`)
    : md5(`${ha1}:${nonce}:${ha2}`);
  const parts = [
    `username="${who.ramal}"`,
    `realm="${realm}"`,
    `nonce="${nonce}"`,
    `uri="${uri}"`,
    `response="${response}"`,
    'algorithm=MD5',
    ...(withQop ? [`cnonce="${cnonce}"`, 'qop=auth', 'nc=00000001'] : []),
  ];
  return [isProxy ? 'Proxy-Authorization' : 'Authorization', `Digest ${parts.join(', ')}`];
}
