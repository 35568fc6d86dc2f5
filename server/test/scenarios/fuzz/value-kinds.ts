import fc from 'fast-check';
import type { JsonSchema } from '../../harness/contract.ts';
import { ownedNumber } from './phones.ts';
import { Reference } from './references.ts';
import { mailDomainOf } from './single-sign-on.ts';

export const letters = (least: number, most: number): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
    minLength: least,
    maxLength: most,
  });

export const unique = letters(10, 10);

const zones = Intl.supportedValuesOf('timeZone');
const phones = [
  '5511987654321',
  '11987654321',
  '+5521998765432',
  '+14155552671',
  '+442071838750',
  '0800 729 0722',
];

const ramal = fc.integer({ min: 10, max: 3_000 }).map(String);
const senha = letters(8, 64);
const extensionRow = fc.record({
  ramal,
  senha,
  first_name: letters(1, 9),
  last_name: letters(1, 9),
  email_address: unique.map((name) => `${name}@example.com`),
  gravar_audio: fc.constantFrom(0, 1, true, false),
});

const dayAhead = (days: number): string =>
  new Date(Date.now() + days * 24 * 3600 * 1000).toISOString().slice(0, 10);

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3600 * 1000).toISOString();

/** Every `x-kind` of the description: valid values, and values at its limits. */
const kinds: Record<string, { valid(schema: JsonSchema): fc.Arbitrary<unknown>; edges: unknown[] }> = {
  phone: {
    valid: () =>
      fc.oneof(
        fc.constantFrom(...phones),
        fc.integer({ min: 80_000_000, max: 99_999_999 }).map((n) => `55119${n}`),
      ),
    edges: [
      '190',
      '551198765432',
      '55119876543210',
      '１１９８７６５４３２１',
      '11987654321 ext. 5',
      '+',
      '5'.repeat(33),
    ],
  },
  'caller-id': { valid: () => fc.oneof(fc.constant(ownedNumber), fc.constantFrom(...phones)), edges: [] },
  'account-domain': {
    valid: (schema) =>
      fc.tuple(unique, fc.constantFrom('', '-a', '-0')).map((parts) => parts.join('') + domainSuffix(schema)),
    edges: ['a', 'aa', '-', '--', `${'a'.repeat(40)}`, `${'a'.repeat(41)}`, 'a.b', 'ção', 'A B'],
  },
  network: {
    valid: () =>
      fc.constantFrom('0.0.0.0/0', '203.0.113.7', '10.0.0.0/8', '::/0', '2001:db8::1', '2001:db8::/32'),
    edges: ['10.0.0.0/33', '::/129', '10.0.0.0/', '1', '::ffff:10.0.0.1', 'fe80::1%1', 'example.com'],
  },
  destination: {
    valid: () => fc.constantFrom('5511987654321', '+55 (11) 98765-4321', '551133334444', '14155552671'),
    edges: ['1', '11', '+', '()', '5'.repeat(32), '5'.repeat(33), '55 abc', '٥٥١١'],
  },
  'due-date': {
    // From tomorrow to seven days ahead, in any time zone.
    valid: () => fc.integer({ min: 2, max: 6 }).map(dayAhead),
    edges: [-1, 0, 1, 7, 8, 9]
      .map(dayAhead)
      .concat('2026-02-30', '2026-1-1', '20261120', '2026-11-20T00:00:00Z'),
  },
  'tax-id': {
    valid: () => fc.constantFrom('11222333000181', '11.222.333/0001-81', '52998224725', '529.982.247-25'),
    edges: [
      '11222333000182',
      '00000000000',
      '11111111111',
      '1122233300018',
      '12ABC34501DE35',
      '12.ABC.345/01DE-35',
    ],
  },
  emails: {
    valid: () =>
      fc
        .array(
          unique.map((name) => `${name}@example.com`),
          { minLength: 1, maxLength: 3 },
        )
        .map((list) => list.join(', ')),
    edges: ['', ',', 'a@example.com,', 'a@example.com;b@example.com', 'a@example.com,a@example.com'],
  },
  ramal: {
    // So few values that they repeat and duplicates occur.
    valid: () => ramal,
    edges: ['1', '10', '010', '99999999', '123456789', '12a', '١٢٣', '12\n', ' 12', '', 1000],
  },
  senha: {
    valid: () => senha,
    edges: [
      'a'.repeat(7),
      'a'.repeat(8),
      'a'.repeat(64),
      'a'.repeat(65),
      '😀'.repeat(8),
      '10000000',
      '12345678\n',
    ],
  },
  bina: {
    valid: () => fc.constantFrom('', '551140028922', '190'),
    edges: ['1', '11', '1'.repeat(15), '1'.repeat(16), '+5511', '5511;x=1', 'sip:5511@example.com'],
  },
  'extension-rows': {
    valid: () => fc.array(extensionRow, { minLength: 1, maxLength: 4 }),
    edges: [[], [null], [{}], ['x'], [[]], Array(501).fill({}), { 0: {} }],
  },
  'gateway-event': {
    valid: () =>
      fc.record({
        id: unique,
        event: fc.constantFrom(
          'PAYMENT_RECEIVED',
          'PAYMENT_CONFIRMED',
          'PAYMENT_REFUNDED',
          'CUSTOMER_CREATED',
        ),
        payment: fc.record({ id: fc.nat(1000).map((pick) => new Reference('payment', pick)) }),
      }),
    edges: [
      {},
      { id: 1 },
      { id: '', event: '', payment: null },
      { id: 'a'.repeat(101), event: 'PAYMENT_', payment: { id: '' } },
    ],
  },
  domain: {
    // In the zone of the name server.
    valid: () =>
      fc.oneof(
        fc.constant(new Reference('mail-domain', 0)),
        unique.map((name) => mailDomainOf(name)),
      ),
    edges: [
      'a',
      'a.b',
      'a.bc',
      `${'a'.repeat(64)}.com`,
      'ção.com',
      '-a.com',
      'a_b.com',
      'a..com',
      'A.COM',
      '1.2.3.4',
      '',
    ],
  },
  issuer: {
    valid: () => fc.constant(new Reference('issuer', 0)),
    // All of them are refused, because requests to a provider that does not respond get 503.
    edges: [
      'http://127.0.0.1:8443',
      'https://ana@127.0.0.1:8443',
      'https://127.0.0.1:8443/?a=b',
      'https://127.0.0.1:8443/#a',
      'https://127.0.0.1:80',
      'https://10.0.0.1',
      'https://[::1]:8443',
      'login.example.com',
      '',
    ],
  },
  ttl: {
    valid: () =>
      fc.oneof(fc.constantFrom(-1, 60, 3600, 31_556_926), fc.integer({ min: 60, max: 31_556_926 })),
    edges: [-2, 0, 59, 61, 31_556_925, 31_556_927, 60.5, 2 ** 31, '60'],
  },
  timezone: {
    valid: () => fc.constantFrom(...zones),
    edges: ['UTC', 'utc', 'GMT+3', '+03:00', 'America/Sao_Paulo ', 'America', 'Mars/Olympus', 'EST5EDT', ''],
  },
  money: {
    valid: (schema) => {
      const least = Number(schema.exclusiveMinimum ?? schema.minimum ?? 0) * 100;
      const most = Number(schema.exclusiveMaximum ?? schema.maximum ?? 1_000_000) * 100;
      return fc.integer({ min: least + 1, max: most - 1 }).map((cents) => cents / 100);
    },
    edges: [-0.01, -0, 0.001, 0.005, 1_000_000, 1_000_000.01, 1e-9, 19.99, '10'],
  },
  page: {
    valid: () => fc.oneof(fc.constant('1'), fc.integer({ min: 1, max: 50 }).map(String)),
    edges: ['0', '-1', '01', '1.0', '1e3', ' 1', '999999999', '9999999999', ''],
  },
  limit: {
    valid: () => fc.integer({ min: 1, max: 1000 }).map(String),
    edges: ['0', '1000', '1001', '-1', '1.5', '999999999', ''],
  },
  sequence: {
    valid: () => fc.integer({ min: 0, max: 5 }).map(String),
    edges: ['-1', '01', '999999999999999', '1000000000000000', 'x', ''],
  },
  'event-limit': {
    valid: () => fc.integer({ min: 1, max: 500 }).map(String),
    edges: ['0', '500', '501', '-1', '1.5', ''],
  },
  'totp-code': {
    valid: () => fc.constant(new Reference('totp-code', 0)),
    edges: ['', '12345', '1234567', '12345x', '１２３４５６', ' 123456', '-12345'],
  },
  // Zero, because no events arrive and waiting would only take time.
  'wait-seconds': { valid: () => fc.constant('0'), edges: ['26', '-1', '1.5', ''] },
  'stream-seconds': {
    valid: () => fc.integer({ min: 0, max: 86_400 }).map(String),
    edges: ['86400', '86401', '-1', ''],
  },
  'window-start': {
    valid: () => fc.integer({ min: 1, max: 29 * 24 }).map(hoursAgo),
    edges: [
      '2026-11-15',
      '2026-11-15T12:00:00',
      '1970-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999Z',
      'now',
      '',
    ],
  },
  'window-end': {
    valid: () => fc.integer({ min: -1, max: 0 }).map(hoursAgo),
    edges: ['2026-11-15', '1970-01-01T00:00:00Z', '9999-12-31T23:59:59.999+14:00', 'now', ''],
  },
  offset: {
    valid: () =>
      fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 999_999_999 })).map(String),
    edges: ['-1', '999999999', '1000000000', '0x10', ''],
  },
};

export const domainSuffix = (schema: JsonSchema): string =>
  String((schema.examples as string[])[0]).replace(/^[^.]*/, '');

export const kindOf = (schema: JsonSchema) => {
  const name = schema['x-kind'] as string | undefined;
  if (name === undefined) return undefined;
  const kind = kinds[name];
  if (!kind) throw new Error(`Unknown x-kind ${name}: add it to server/test/scenarios/fuzz/value-kinds.ts.`);
  return kind;
};
