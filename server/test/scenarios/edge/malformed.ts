import type { Address } from '../../harness/edge/sip-transport.ts';

export interface Malformed {
  name: string;
  bytes: Buffer;
}

interface Parts {
  startLine?: string;
  /** Replaces the header of that name; undefined removes it. */
  change?: Record<string, string | undefined>;
  more?: string[];
  body?: string;
  end?: string;
}

const domain = 'acme.disca.test';
const long = (count: number, letter = 'a'): string => letter.repeat(count);
const sql = [
  `1' OR '1'='1`,
  `'; DELETE FROM location; --`,
  `\\'; SELECT pg_sleep(5); --`,
  `1001'||(SELECT ha1 FROM subscriber LIMIT 1)||'`,
];

/** Returns a REGISTER that would get a challenge, with some parts changed. */
function register(parts: Parts): string {
  const headers: Record<string, string | undefined> = {
    Via: 'SIP/2.0/UDP 127.0.0.1:5999;branch=z9hG4bKtorture;rport',
    'Max-Forwards': '70',
    From: `<sip:1001@${domain}>;tag=torture`,
    To: `<sip:1001@${domain}>`,
    'Call-ID': 'torture',
    CSeq: '1 REGISTER',
    Contact: '<sip:1001@127.0.0.1:5999>',
    'Content-Length': String(Buffer.byteLength(parts.body ?? '')),
    ...parts.change,
  };
  const lines = Object.entries(headers)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}`);
  const startLine = parts.startLine ?? `REGISTER sip:${domain} SIP/2.0`;
  return `${[startLine, ...lines, ...(parts.more ?? [])].join('\r\n')}${parts.end ?? '\r\n\r\n'}${parts.body ?? ''}`;
}

const digest = (fields: string): string => `Authorization: Digest ${fields}`;

type Texts = Record<string, string>;

/** Malformed parts that every message has, from RFC 4475 and from messages of scanners and fuzzers. */
const brokenParts = (): Texts => ({
  'nothing but line ends': '\r\n\r\n\r\n\r\n',
  'zero bytes': '\0'.repeat(64),
  'one letter': 'A',
  'a web request': 'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  'a web response': 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
  'TLS hello': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'no end of the headers': register({ end: '' }),
  'only line feeds': register({}).replaceAll('\r\n', '\n'),
  'only carriage returns': register({}).replaceAll('\r\n', '\r'),
  'no version': register({ startLine: `REGISTER sip:${domain}` }),
  'version 7': register({ startLine: `REGISTER sip:${domain} SIP/7.0` }),
  'a version of digits': register({ startLine: `REGISTER sip:${domain} SIP/${long(500, '9')}.0` }),
  'spaces in the first line': register({ startLine: `REGISTER    sip:${domain}    SIP/2.0` }),
  'a target in angle brackets': register({ startLine: `REGISTER <sip:${domain}> SIP/2.0` }),
  'an escaped zero byte': register({ startLine: `REGISTER sip:null-%00-null@${domain} SIP/2.0` }),
  'an unknown scheme': register({ startLine: 'REGISTER nobodyKnowsThisScheme:totallyopaque SIP/2.0' }),
  'a target without a host': register({ startLine: 'REGISTER sip: SIP/2.0' }),
  'a target with an impossible port': register({ startLine: `REGISTER sip:${domain}:99999999 SIP/2.0` }),
  'a long target': register({ startLine: `REGISTER sip:${long(8000)}@${domain} SIP/2.0` }),
  'a long method': register({ startLine: `${long(4000, 'M')} sip:${domain} SIP/2.0` }),
  'a method of symbols': register({
    startLine: `!#%&'*+-.^_\`|~ sip:${domain} SIP/2.0`,
    change: { CSeq: `1 !#%&'*+-.^_\`|~` },
  }),
  'no Via': register({ change: { Via: undefined } }),
  'no From': register({ change: { From: undefined } }),
  'no To': register({ change: { To: undefined } }),
  'no Call-ID': register({ change: { 'Call-ID': undefined } }),
  'no CSeq': register({ change: { CSeq: undefined } }),
  'an empty Via': register({ change: { Via: '' } }),
  'a Via without a host': register({ change: { Via: 'SIP/2.0/UDP ;branch=z9hG4bK' } }),
  'a Via of an unknown transport': register({
    change: { Via: 'SIP/2.0/UNKNOWN 127.0.0.1;branch=z9hG4bKx' },
  }),
  'a thousand Vias': register({
    more: Array.from({ length: 200 }, (_, n) => `Via: SIP/2.0/UDP 10.0.0.${n};branch=z9hG4bK${n}`),
  }),
  'two From': register({ more: [`From: <sip:1002@${domain}>;tag=b`] }),
  'two CSeq': register({ more: ['CSeq: 2 INVITE'] }),
  'two Call-ID': register({ more: ['Call-ID: other'] }),
  'two tags': register({ change: { From: `<sip:1001@${domain}>;tag=a;tag=b` } }),
  'an open quote': register({ change: { From: `"Mr. J. User <sip:1001@${domain}>;tag=a` } }),
  'nested quotes': register({ change: { From: `"\\"\\"<sip:x@y>\\"" <sip:1001@${domain}>;tag="a\\"b"` } }),
  'an open angle bracket': register({ change: { To: `<sip:1001@${domain}` } }),
  'many angle brackets': register({
    change: { To: `${long(1000, '<')}sip:1001@${domain}${long(1000, '>')}` },
  }),
  'a sequence beyond 32 bits': register({ change: { CSeq: '36893488147419103232 REGISTER' } }),
  'a negative sequence': register({ change: { CSeq: '-1 REGISTER' } }),
  'a sequence of another method': register({ change: { CSeq: '1 INVITE' } }),
  'Max-Forwards below zero': register({ change: { 'Max-Forwards': '-1' } }),
  'Max-Forwards beyond 32 bits': register({ change: { 'Max-Forwards': '300000000000' } }),
  'Max-Forwards of letters': register({ change: { 'Max-Forwards': 'many' } }),
  'Expires beyond 64 bits': register({ more: [`Expires: ${long(40, '9')}`] }),
  'Expires below zero': register({ more: ['Expires: -1'] }),
  'a length that is too long': register({ change: { 'Content-Length': '9999' } }),
  'a length that is too short': register({
    change: { 'Content-Length': '2' },
    body: 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\n',
  }),
  'a negative length': register({ change: { 'Content-Length': '-999' } }),
  'a length of letters': register({ change: { 'Content-Length': 'abc' } }),
  'a length beyond 64 bits': register({ change: { 'Content-Length': long(30, '9') } }),
  'two lengths': register({ more: ['Content-Length: 500'] }),
});

const brokenHeaders = (): Texts => ({
  'a long header': register({ more: [`Subject: ${long(9000)}`] }),
  'a long header name': register({ more: [`${long(5000, 'X')}: 1`] }),
  'a thousand headers': register({ more: Array.from({ length: 700 }, (_, n) => `X-${n}: ${n}`) }),
  'a header without a colon': register({ more: ['this is no header'] }),
  'a header without a name': register({ more: [': empty'] }),
  'folded lines': register({ more: ['Subject: one', '  two', '\tthree'] }),
  'a line end in a value': register({ change: { 'Call-ID': `a\r\nX-Disca-Call-Id: forged\r\nX: ` } }),
  'a bare carriage return in a value': register({ change: { 'Call-ID': 'a\rRoute: <sip:127.0.0.1>' } }),
  'a zero byte in a value': register({ change: { 'Call-ID': 'a\0b' } }),
  'bytes above 127': register({
    change: { 'User-Agent': long(200, '\xff'), From: `"\xc3\x28\xff" <sip:1001@${domain}>;tag=a` },
  }),
  'percent signs': register({
    change: { From: `<sip:%n%n%s%s%x@${domain}>;tag=%n`, 'User-Agent': '%s%s%n%n' },
  }),
  'script variables': register({
    change: { From: `<sip:$(avp(x))@${domain}>;tag=$fU`, 'Call-ID': '$shtinc(x=>y)' },
  }),
  'a long Call-ID': register({ change: { 'Call-ID': long(6000) } }),
  'a long tag': register({ change: { From: `<sip:1001@${domain}>;tag=${long(6000)}` } }),
  'a star among contacts': register({ change: { Contact: '*, <sip:1001@127.0.0.1>' } }),
  'a hundred contacts': register({
    change: { Contact: Array.from({ length: 100 }, (_, n) => `<sip:${n}@127.0.0.1>`).join(', ') },
  }),
  'an unknown authorization': register({ more: ['Authorization: NoOneKnowsThisScheme opaque-data=here'] }),
  'empty credentials': register({ more: [digest('')] }),
  'credentials with open quotes': register({ more: [digest('username="1001, realm="')] }),
  'credentials with a long name': register({
    more: [
      digest(`username="${long(5000)}", realm="${domain}", nonce="x", uri="sip:x", response="${long(32)}"`),
    ],
  }),
  'credentials with a short response': register({
    more: [digest(`username="1001", realm="${domain}", nonce="x", uri="sip:x", response="1"`)],
  }),
  'fifty credentials': register({
    more: Array.from({ length: 50 }, () =>
      digest(`username="1001", realm="${domain}", nonce="x", uri="sip:x", response="${long(32)}"`),
    ),
  }),
  'an answer with an impossible status':
    'SIP/2.0 4294967301 Better\r\nVia: SIP/2.0/UDP 127.0.0.1;branch=z9hG4bKx\r\n\r\n',
  'a multipart body without an end': register({
    more: ['Content-Type: multipart/mixed;boundary='],
    body: `--${long(5000, '-')}`,
  }),
});

const aimedAtNode = (node: Address, nodeUri: string): Texts => ({
  'a contact that is the node': register({ change: { Contact: `<${nodeUri}>;expires=600` } }),
  'an unexpected response': `SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP ${node.address}:${node.port};branch=z9hG4bKx\r\nFrom: <sip:a@b>;tag=a\r\nTo: <sip:a@b>;tag=b\r\nCall-ID: x\r\nCSeq: 1 INVITE\r\n\r\n`,
  'an INVITE with a route to the node': register({
    startLine: `INVITE ${nodeUri} SIP/2.0`,
    change: { CSeq: '1 INVITE' },
    more: [`Route: <${nodeUri};lr>`],
  }),
  'an ACK to the node': register({
    startLine: `ACK ${nodeUri} SIP/2.0`,
    change: { CSeq: '1 ACK' },
    more: [`Route: <${nodeUri};lr>`],
  }),
  'an ACK within a dialog to the node': register({
    startLine: `ACK ${nodeUri} SIP/2.0`,
    change: { CSeq: '1 ACK', To: `<${nodeUri}>;tag=x` },
  }),
  'a BYE within a dialog to the node': register({
    startLine: `BYE ${nodeUri} SIP/2.0`,
    change: { CSeq: '1 BYE', To: `<${nodeUri}>;tag=x` },
    more: [`Route: <sip:127.0.0.1;lr;d=${long(9000)}>`],
  }),
  'a hundred routes': register({
    startLine: `BYE ${nodeUri} SIP/2.0`,
    change: { CSeq: '1 BYE', To: `<${nodeUri}>;tag=x` },
    more: Array.from({ length: 100 }, () => `Route: <${nodeUri};lr>`),
  }),
});

function withSql(): Texts {
  const texts: Texts = {};
  for (const [index, text] of sql.entries()) {
    texts[`SQL ${index} in From`] = register({
      change: { From: `<sip:${text.replaceAll(' ', '+')}@${domain}>;tag=a` },
    });
    texts[`SQL ${index} in the domain`] = register({
      change: { From: `<sip:1001@${text.replaceAll(' ', '')}>;tag=a`, To: `<sip:1001@${text}>` },
    });
    texts[`SQL ${index} in the Call-ID`] = register({ change: { 'Call-ID': text } });
    texts[`SQL ${index} in the credentials`] = register({
      more: [
        digest(
          `username="${text}", realm="${text}", nonce="${text}", uri="sip:x", response="${long(32)}", algorithm=MD5`,
        ),
      ],
    });
    texts[`SQL ${index} in the User-Agent`] = register({
      change: { 'User-Agent': text, Contact: `<sip:1001@127.0.0.1:5999>;+sip.instance="${text}"` },
    });
  }
  return texts;
}

/** Returns messages that no ordinary phone would send. */
export function malformedMessages(node: Address): Malformed[] {
  const nodeUri = `sip:x@${node.address}:${node.port}`;
  const texts = { ...brokenParts(), ...brokenHeaders(), ...aimedAtNode(node, nodeUri), ...withSql() };
  return Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text, 'latin1') }));
}
