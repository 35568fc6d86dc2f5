import { createHash, randomBytes } from 'node:crypto';
import { headerOf, headersOf, parseMessage, type SipMessage, statusOf, writeMessage } from './sip-message.ts';
import { type Address, openTcp, openTls, openUdp, openWss, type Transport } from './sip-transport.ts';

export interface Credentials {
  ramal: string;
  /** The authentication name, if it is not the ramal. */
  identity?: string;
  domain: string;
  senha: string;
}

export interface ClientOptions {
  server: Address;
  transport?: 'udp' | 'tcp' | 'tls' | 'wss';
  /** Origin of the page that opens the WebSocket. */
  origin?: string;
  /** Local address; any free port of 127.0.0.1 when absent. */
  local?: Partial<Address>;
  userAgent?: string;
}

export interface Registration extends Credentials {
  /** The requested expiry; the registrar decides. */
  expiresSeconds?: number;
  /** Call-ID of another registration than the client's first. */
  callId?: string;
  contact?: string;
}

export interface SipClient {
  readonly local: Address;
  readonly callId: string;
  /** Every received request, retransmissions included. */
  readonly requests: SipMessage[];
  /** Every received response, in the order of arrival, retransmissions included. */
  readonly responses: SipMessage[];
  /** Registers and returns the last response; a challenge is answered once. */
  register(registration: Registration): Promise<SipMessage>;
  /** Completes, sends and retransmits a request, and returns the final response; undefined when there is none. */
  ask(request: Partial<SipMessage> & { startLine: string }, waitMs?: number): Promise<SipMessage | undefined>;
  /** Like `ask`, but answers a challenge with these credentials. */
  askAs(
    who: Credentials,
    request: { startLine: string; headers: [string, string][]; body?: string },
  ): Promise<SipMessage | undefined>;
  send(message: SipMessage | string | Buffer, to?: Address): void;
  /** Handles received requests; without a handler they are only recorded. */
  onRequest(handle: (request: SipMessage, from: Address) => void): void;
  /** Returns the first received request, past or future, that matches. */
  waitFor(holds: (request: SipMessage) => boolean, waitMs?: number): Promise<SipMessage>;
  /** Resolves once the connection is lost; undefined without a connection. */
  readonly gone: Promise<void> | undefined;
  close(): Promise<void>;
  /** Drops the connection, as when a cable is pulled and only one side notices. */
  cut(): Promise<void>;
}

/** Origin of the console page in tests. */
export const consoleOrigin = 'https://console.disca.localhost';

const retransmitMs = 500;
const finalAnswerMs = 10_000;
/** Only ends tests that hang. */
const arrivalMs = 120_000;
const random = (): string => randomBytes(8).toString('hex');

export async function openSipClient(options: ClientOptions): Promise<SipClient> {
  const requests: SipMessage[] = [];
  const responses: SipMessage[] = [];
  const answers = new Map<string, (answer: SipMessage) => void>();
  const listeners = new Set<(request: SipMessage) => void>();
  let handler: ((request: SipMessage, from: Address) => void) | undefined;

  const transport = await openTransport(options, (text, from) => {
    if (text.trim() === '' || text.startsWith('\0')) return;
    const message = parseMessage(text);
    if (statusOf(message) > 0) {
      responses.push(message);
      return answers.get(branchOf(message))?.(message);
    }
    requests.push(message);
    for (const listener of listeners) listener(message);
    handler?.(message, from);
  });
  const callId = random();
  const complete = completer(transport, callId, options.userAgent ?? 'Test Phone 1.0');

  const ask: SipClient['ask'] = (request, waitMs = finalAnswerMs) => {
    const message = complete(request);
    return transact(transport, message, waitMs, (onAnswer) => {
      const branch = branchOf(message);
      answers.set(branch, onAnswer);
      return () => answers.delete(branch);
    });
  };
  const askAs: SipClient['askAs'] = async (who, request) => {
    const first = await ask(request);
    if (first === undefined || ![401, 407].includes(statusOf(first))) return first;
    const credentials = answerChallenge(who, request.startLine, first);
    return await ask({ ...request, headers: [...request.headers, credentials] });
  };

  return {
    local: transport.local,
    callId,
    requests,
    responses,
    ask,
    askAs,
    async register(registration) {
      const answer = await askAs(registration, registerRequest(registration, callId, transport));
      return answer ?? { startLine: '', headers: [], body: '' };
    },
    send: (message, to) => transport.send(toBytes(message), to),
    onRequest(handle) {
      handler = handle;
    },
    waitFor: (holds, waitMs = arrivalMs) => {
      const received = requests.find(holds);
      return received ? Promise.resolve(received) : arrival(listeners, holds, waitMs);
    },
    gone: transport.gone,
    close: () => transport.close(),
    cut: () => (transport.cut ?? transport.close)(),
  };
}

function openTransport(
  { transport = 'udp', server, local = {}, origin = consoleOrigin }: ClientOptions,
  onText: (text: string, from: Address) => void,
): Promise<Transport> {
  if (transport === 'wss') return openWss(server, local, onText, origin);
  return { udp: openUdp, tcp: openTcp, tls: openTls }[transport](server, local, onText);
}

const toBytes = (message: SipMessage | string | Buffer): string | Buffer =>
  typeof message === 'string' || Buffer.isBuffer(message) ? message : writeMessage(message);

/** Adds missing headers and a new branch to a request. */
function completer({ protocol, local }: Transport, callId: string, userAgent: string) {
  let sequence = 0;
  return (request: Partial<SipMessage> & { startLine: string }): SipMessage => {
    sequence += 1;
    const own = request.headers ?? [];
    const lacking = (
      [
        ['Max-Forwards', '70'],
        ['Call-ID', callId],
        ['CSeq', `${sequence} ${request.startLine.split(' ')[0]}`],
        ['User-Agent', userAgent],
      ] satisfies [string, string][]
    ).filter(([name]) => !own.some(([present]) => present.toLowerCase() === name.toLowerCase()));
    const via = `SIP/2.0/${protocol} ${local.address}:${local.port};rport;branch=z9hG4bK${random()}`;
    return {
      startLine: request.startLine,
      headers: [['Via', via], ...own, ...lacking],
      body: request.body ?? '',
    };
  };
}

/** Sends a request, with retransmissions over UDP, and waits for its final response. */
function transact(
  transport: Transport,
  message: SipMessage,
  waitMs: number,
  listen: (onAnswer: (answer: SipMessage) => void) => () => void,
): Promise<SipMessage | undefined> {
  const send = (): void => transport.send(writeMessage(message));
  return new Promise((resolve) => {
    const settle = (answer?: SipMessage): void => {
      clearInterval(again);
      clearTimeout(deadline);
      stopListening();
      resolve(answer);
    };
    const deadline = setTimeout(settle, waitMs);
    const again = setInterval(() => transport.protocol === 'UDP' && send(), retransmitMs);
    const stopListening = listen((answer) => {
      if (statusOf(answer) >= 200) settle(answer);
      else clearInterval(again);
    });
    send();
  });
}

function registerRequest(registration: Registration, ownCallId: string, { protocol, local }: Transport) {
  const { ramal, domain, expiresSeconds = 120, callId = ownCallId } = registration;
  const by = protocol === 'WSS' ? 'ws' : protocol.toLowerCase();
  const ownContact = `<sip:${ramal}@${local.address}:${local.port};transport=${by}>`;
  const headers: [string, string][] = [
    ['From', `<sip:${ramal}@${domain}>;tag=${random()}`],
    ['To', `<sip:${ramal}@${domain}>`],
    ['Call-ID', callId],
    ['Contact', registration.contact ?? ownContact],
    ['Expires', String(expiresSeconds)],
  ];
  return { startLine: `REGISTER sip:${domain} SIP/2.0`, headers };
}

function arrival(
  listeners: Set<(request: SipMessage) => void>,
  holds: (request: SipMessage) => boolean,
  waitMs: number,
): Promise<SipMessage> {
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => {
      listeners.delete(listener);
      reject(new Error(`No matching request arrived within ${waitMs} ms.`));
    }, waitMs);
    const listener = (request: SipMessage): void => {
      if (!holds(request)) return;
      clearTimeout(deadline);
      listeners.delete(listener);
      resolve(request);
    };
    listeners.add(listener);
  });
}

const branchOf = (message: SipMessage): string =>
  /;branch=([^;,\s]+)/.exec(headerOf(message, 'Via'))?.[1] ?? '';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** Returns the header that answers a digest challenge, as in RFC 2617, with qop=auth or without; `uses` counts the nonce. */
export function answerChallenge(
  who: Credentials,
  startLine: string,
  challenge: SipMessage,
  uses = 1,
): [string, string] {
  const isProxy = statusOf(challenge) === 407;
  const [text = ''] = headersOf(challenge, isProxy ? 'Proxy-Authenticate' : 'WWW-Authenticate');
  const value = (name: string): string => new RegExp(`${name}="?([^",]+)`).exec(text)?.[1] ?? '';
  const [method = '', uri = ''] = startLine.split(' ');
  const realm = value('realm');
  const nonce = value('nonce');
  const name = who.identity ?? who.ramal;
  const ha1 = md5(`${name}:${realm}:${who.senha}`);
  const ha2 = md5(`${method}:${uri}`);
  const cnonce = random();
  const nc = uses.toString(16).padStart(8, '0');
  const withQop = /qop="?[^"]*auth/.test(text);
  const response = withQop
    ? md5(`${ha1}:${nonce}:${nc}:${cnonce}:auth:${ha2}`)
    : md5(`${ha1}:${nonce}:${ha2}`);
  const parts = [
    `username="${name}"`,
    `realm="${realm}"`,
    `nonce="${nonce}"`,
    `uri="${uri}"`,
    `response="${response}"`,
    'algorithm=MD5',
    ...(withQop ? [`cnonce="${cnonce}"`, 'qop=auth', `nc=${nc}`] : []),
  ];
  return [isProxy ? 'Proxy-Authorization' : 'Authorization', `Digest ${parts.join(', ')}`];
}
