import fc from 'fast-check';

/** Texts that attackers and broken clients send. */

const texts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e\u2066',
  '\u0000\u0001\u001f',
  'ﷺ'.repeat(50),
  'e\u0301'.repeat(100),
  '👩‍👩‍👧‍👦',
  "' OR '1'='1",
  "'; DROP TABLE users; --",
  '{{7*7}} $(id) <%= 7 %>',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  '%00%ff%c0%af',
  '\r\nSet-Cookie: a=b',
  'undefined',
  'null',
  'NaN',
  '[object Object]',
  '__proto__',
  'constructor',
  '$where',
  '-1',
  '0',
  '1e999',
  '0x7fffffff',
  '9223372036854775808',
  'ana@example.com\n',
  '"quoted local"@example.com',
  'ana@xn--80ak6aa92e.com',
  'ANA@EXAMPLE.COM',
  '00000000-0000-0000-0000-000000000000',
  '2026-02-30T25:61:61Z',
  '+5511987654321;ext=1',
  'a'.repeat(300),
  'a'.repeat(5000),
];

const numbers = [
  0,
  -0,
  -1,
  0.1,
  1e-7,
  1.005,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e21,
  1e308,
  Number.MIN_VALUE,
  Number.MAX_SAFE_INTEGER,
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...texts),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);

const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });

/** Any JSON value, most of them of the wrong type or shape. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...numbers) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { $gt: '' }) },
  { weight: 1, arbitrary: fc.constantFrom(nested(15), nested(19), { toString: 1, valueOf: 2, length: -1 }) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** Bodies that no serializer would write. */
export const rawBodies: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '}',
    'nul',
    'null',
    'true',
    '1e999',
    '"text"',
    '[]',
    '[{}]',
    '{"a":1,}',
    "{'a':1}",
    '\ufeff{}',
    '{"a":1,"a":2}',
    '{"__proto__":{"role":"ADMIN"}}',
    '{"constructor":{"prototype":{"role":"ADMIN"}}}',
    '{"a":"\\ud800"}',
    '{"a":"\\u0000"}',
    `${'{"a":'.repeat(25)}1${'}'.repeat(25)}`,
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
    `{"a":"${'x'.repeat(65_536)}"}`,
    'name=Ana&role=ADMIN',
    '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--',
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.json({ maxDepth: 4 }),
);

export const contentTypes = [
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'application/json; charset=utf-16',
  'application/vnd.api+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  'text/html',
  'application/xml',
  'application/jsonp',
  'json',
  ';',
];

/** Inserted into the URL unchanged. */
export const rawQueries = [
  '',
  '&',
  '=',
  '&&&==&',
  'a',
  'unknown=1',
  'filtre=%7B%7D',
  'filter=%zz',
  'filter=%ff',
  'filter=',
  'filter={}',
  'filter=%7B%7D&filter=%7B%7D',
  'page=1&page=2',
  'page[]=1',
  'filter[where][name]=Ana',
  'limit=1&limit=2',
  'access_token=abc',
  '__proto__=1',
  'constructor=1',
  `a=${'x'.repeat(2000)}`,
];

/** For headers whose value the client chooses: few, so that they repeat. */
export const headerTexts = [
  'a',
  'b',
  'key-1',
  'key-2',
  'x'.repeat(255),
  'x'.repeat(256),
  '3f6c6d3e-8c52',
  '\xe9',
  ' ',
];

export const oddHeaders: Record<string, string>[] = [
  { accept: 'text/html' },
  { accept: 'application/xml;q=0.9' },
  { 'accept-language': 'en-US,en;q=0.5' },
  { 'accept-language': '*;q=x' },
  { 'accept-encoding': 'br, gzip' },
  { 'x-request-id': 'short' },
  { 'x-request-id': 'a-good-request-id' },
  { 'x-request-id': '<script>alert(1)</script>' },
  { 'x-forwarded-for': '127.0.0.1, 10.0.0.1' },
  { 'x-forwarded-proto': 'gopher' },
  { 'x-http-method-override': 'DELETE' },
  { 'if-none-match': '*' },
  { range: 'bytes=0-1' },
  { prefer: 'handling=lenient' },
  { prefer: 'handling="\\' },
  { 'user-agent': 'x'.repeat(1000) },
  { cookie: 'session=1' },
  { expect: '200-ok' },
  { host: 'elsewhere.example' },
];
