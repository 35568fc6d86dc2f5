export interface SipMessage {
  startLine: string;
  headers: [name: string, value: string][];
  body: string;
}

const compactNames: Record<string, string> = {
  v: 'via',
  f: 'from',
  t: 'to',
  i: 'call-id',
  m: 'contact',
  l: 'content-length',
};

const longName = (name: string): string => compactNames[name.toLowerCase()] ?? name.toLowerCase();

export function parseMessage(text: string): SipMessage {
  const end = text.indexOf('\r\n\r\n');
  const [startLine = '', ...lines] = text.slice(0, end < 0 ? undefined : end).split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
  return { startLine, headers, body: end < 0 ? '' : text.slice(end + 4) };
}

export function writeMessage({ startLine, headers, body }: SipMessage): string {
  const kept = headers.filter(([name]) => longName(name) !== 'content-length');
  const lines = [...kept, ['Content-Length', Buffer.byteLength(body)]].map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `${[startLine, ...lines].join('\r\n')}\r\n\r\n${body}`;
}

export const headersOf = (message: SipMessage, name: string): string[] =>
  message.headers.filter(([own]) => longName(own) === longName(name)).map(([, value]) => value);

export const headerOf = (message: SipMessage, name: string): string => headersOf(message, name)[0] ?? '';

/** Status code; 0 for a request. */
export const statusOf = ({ startLine }: SipMessage): number =>
  startLine.startsWith('SIP/2.0 ') ? Number(startLine.slice(8, 11)) : 0;

/** Returns the method of a request, or of the request that a response answers. */
export const methodOf = (message: SipMessage): string => headerOf(message, 'CSeq').split(/\s+/)[1] ?? '';

export const tagOf = (header: string): string => /;tag=([^;>\s]+)/.exec(header)?.[1] ?? '';

/** Returns the URI between angle brackets. */
export const uriOf = (header: string): string => /<([^>]*)>/.exec(header)?.[1] ?? header.split(';')[0] ?? '';

/** Creates a response with the headers that it copies from its request. */
export function answerTo(
  request: SipMessage,
  status: string,
  more: [string, string][] = [],
  body = '',
): SipMessage {
  const kept = ['Via', 'Record-Route', 'From', 'Call-ID', 'CSeq'].flatMap((name) =>
    headersOf(request, name).map((value): [string, string] => [name, value]),
  );
  const to = headerOf(request, 'To');
  const toWithTag =
    tagOf(to) || status.startsWith('100')
      ? to
      : `${to};tag=answer-${headerOf(request, 'Call-ID').slice(0, 8)}`;
  return { startLine: `SIP/2.0 ${status}`, headers: [...kept, ['To', toWithTag], ...more], body };
}
