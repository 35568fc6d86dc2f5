import { beforeAll, expect, test } from 'vitest';
import {
  type CallRow,
  insertCalls,
  insertLiveCalls,
  insertRecording,
} from '../../../harness/fixtures/call-rows.ts';
import { createAccount, type TestAccount } from '../../../harness/people.ts';
import { type SharedPlatform, sharedPlatform } from '../../../harness/platform.ts';

let platform: SharedPlatform;
let account: TestAccount;
let ids: string[];

const day = (hours: number) => new Date(Date.UTC(2026, 2, 1) + hours * 3_600_000);

const calls: (Partial<CallRow> & { startedAt: Date })[] = [
  {
    startedAt: day(0),
    from: '1000',
    to: '5511987650001',
    firstName: 'Ana',
    lastName: 'Souza',
    email: 'ana@empresa.test',
    bina: '551130000001',
    duration: 10,
    metadata: { deal: 'D1', campaign: { name: 'spring', step: 1 }, tries: 1, vip: true },
  },
  {
    startedAt: day(23.9),
    from: '1001',
    to: '5511987650002',
    firstName: 'Beto',
    lastName: 'Lima',
    email: 'beto@empresa.test',
    bina: null,
    duration: 0,
    hangupCause: 'NO_ANSWER',
    endedBy: 'system',
    priceMicros: null,
    metadata: { deal: 'D2', campaign: { name: 'spring', step: 2 }, note: null },
  },
  {
    startedAt: day(24),
    from: '1000',
    to: '5521987650001',
    firstName: 'ana',
    lastName: 'Silva',
    email: 'ana.silva@empresa.test',
    bina: '551130000001',
    duration: 61,
    endedBy: 'extension',
    priceMicros: { minute: 120_000, call: 132_000 },
    recorded: true,
    metadata: { deal: 'D1', tries: 2, '100%': 'sim', 'a.b': 1 },
  },
  { startedAt: day(50), status: 'answered', from: '1002', to: '551133334444', recorded: true },
];

beforeAll(async () => {
  platform = await sharedPlatform();
  account = await createAccount(platform);
  ids = await insertCalls(platform.database, account, calls);
  await insertLiveCalls(platform.database, ids);
  await insertRecording(platform.database, account.id, ids[2] ?? '', 'stored');
  await insertRecording(platform.database, account.id, ids[3] ?? '', 'expected');
  const other = await createAccount(platform);
  await insertCalls(
    platform.database,
    other,
    calls.map(({ startedAt, ...call }) => ({ startedAt: new Date(startedAt.getTime() + 1), ...call })),
  );
});

const ask = (path: string, filter: object, query?: Record<string, string>) =>
  account.admin.client.list(path, filter, query);

/** Returns the numbers of the matching calls, oldest first; list, search and export must agree. */
async function matches(where: object): Promise<number[]> {
  const listed = await ask('/calls', { where }, { page: '1' });
  expect(listed.status, listed.text).toBe(200);
  const toIndexes = (data: { id: string }[]) => data.map(({ id }) => ids.indexOf(id)).sort();
  const numbers = toIndexes(listed.body.data);
  expect(listed.body.meta.totalItemCount).toBe(numbers.length);
  const searched = await ask('/calls/search', { where });
  expect(toIndexes(searched.body.data)).toEqual(numbers);
  const exported = await ask('/calls/export', { where, fields: ['id'] });
  expect(
    toIndexes(
      exported.text
        .trim()
        .split('\r\n')
        .slice(1)
        .map((id) => ({ id })),
    ),
  ).toEqual(numbers);
  return numbers;
}

test('LIST-01 LIST-02 LIST-03 LIST-06 filters by every field of the record and by the aliases', async () => {
  const [first] = ids;
  const { body } = await ask('/calls', { where: { id: first } }, { page: '1' });
  const { record_url: _link, tags: _tags, metadata, ...fields } = body.data[0];
  for (const [name, value] of Object.entries(fields)) {
    expect(await matches({ [name]: value }), name).toContain(0);
    expect(await matches({ [name]: { neq: value } }), name).not.toContain(0);
  }
  expect(await matches({ metadata })).toEqual([0]);
  expect(await matches({ id: first })).toEqual([0]);
  expect(await matches({ started_at: day(0).toISOString() })).toEqual([0]);
  expect(await matches({ from: '1000' })).toEqual([0, 2]);
  expect(await matches({ extension: '1000' })).toEqual([0, 2]);
  expect(await matches({ to: '5521987650001' })).toEqual([2]);
  expect(await matches({ phone: '5521987650001' })).toEqual([2]);
  for (const phone of ['+55 (21) 98765-0001', '(21) 98765-0001', '021987650001', 'tel:+5521987650001'])
    expect(await matches({ phone }), phone).toEqual([2]);
  expect(await matches({ phone: { eq: '+5521987650001' } })).toEqual([]);
  expect(await matches({ first_name: 'Ana' })).toEqual([0, 2, 3]);
  expect(await matches({ first_name: { eq: 'Ana' } })).toEqual([0, 3]);
  expect(await matches({ last_name: 'Silva' })).toEqual([2]);
  expect(await matches({ email: 'beto@empresa.test' })).toEqual([1]);
  expect(await matches({ BINA: '551130000001' })).toEqual([0, 2]);
  expect(await matches({ BINA: '+55 11 3000-0001' })).toEqual([0, 2]);
  expect(await matches({ BINA: '' })).toEqual([1]);
  expect(await matches({ status: 'answered' })).toEqual([3]);
  expect(await matches({ call_type: 'inbound' })).toEqual([]);
  expect(await matches({ domain: account.domain })).toEqual([0, 1, 2, 3]);
  expect(await matches({ hangup_cause: 'NO_ANSWER' })).toEqual([1]);
  expect(await matches({ ended_by: 'extension' })).toEqual([2]);
  expect(await matches({ duration: 61 })).toEqual([2]);
  expect(await matches({ billed_duration: 61 })).toEqual([2]);
  expect(await matches({ call_price: 0.132 })).toEqual([2]);
  expect(await matches({ minute_price: 0.12 })).toEqual([0, 2]);
});

test('bug: LIST-24 a date is a day in the time zone of the account', async () => {
  const setZone = (timezone: string) => account.admin.client.patch('/accounts', { timezone });
  const inZones: [string, Record<string, number[]>][] = [
    ['UTC', { '2026-02-28': [], '2026-03-01': [0, 1], '2026-03-02': [2], '2026-03-03': [3] }],
    ['America/Sao_Paulo', { '2026-02-28': [0], '2026-03-01': [1, 2], '2026-03-02': [3], '2026-03-03': [] }],
    ['Pacific/Kiritimati', { '2026-02-28': [], '2026-03-01': [0], '2026-03-02': [1, 2], '2026-03-03': [3] }],
  ];
  for (const [zone, days] of inZones) {
    expect((await setZone(zone)).status).toBe(200);
    for (const [date, expected] of Object.entries(days))
      expect(await matches({ date }), `${date} in ${zone}`).toEqual(expected);
    expect(await matches({ date: { gt: '2026-02-27', lte: '2026-03-03' } })).toEqual([0, 1, 2, 3]);
  }
  await setZone('America/Sao_Paulo');
});

test('LIST-03 LIST-06 LIST-24 a date matches its day, and a range everything within', async () => {
  expect(await matches({ date: '2026-03-01' })).toEqual([1, 2]);
  expect(await matches({ date: { gte: '2026-03-02T00:00:00Z' } })).toEqual([2, 3]);
  expect(await matches({ date: { gt: day(24).toISOString() } })).toEqual([3]);
  expect(await matches({ started_at: { gte: day(0).toISOString(), lt: day(24).toISOString() } })).toEqual([
    0, 1,
  ]);
  expect(await matches({ date: { between: ['2026-03-01', '2026-03-02'] } })).toEqual([1, 2, 3]);
  expect(await matches({ date: { neq: '2026-03-01' } })).toEqual([0, 3]);
  expect(await matches({ ended_at: null })).toEqual([3]);
  expect(await matches({ answered_at: { lt: '2026-03-02T00:00:00Z' } })).toEqual([0]);
});

test('LIST-03 LIST-07 filters metadata by key, and by containment at any depth', async () => {
  expect(await matches({ 'metadata.deal': 'D1' })).toEqual([0, 2]);
  expect(await matches({ metadata: { deal: 'D1' } })).toEqual([0, 2]);
  expect(await matches({ metadata: { deal: 'D1', tries: 2 } })).toEqual([2]);
  expect(await matches({ metadata: { campaign: { name: 'spring' } } })).toEqual([0, 1]);
  expect(await matches({ metadata: { campaign: { name: 'spring', step: 2 } } })).toEqual([1]);
  expect(await matches({ metadata: { note: null } })).toEqual([1]);
  expect(await matches({ metadata: {} })).toEqual([0, 1, 2, 3]);
  expect(await matches({ 'metadata.tries': 2 })).toEqual([2]);
  expect(await matches({ 'metadata.vip': true })).toEqual([0]);
  expect(await matches({ 'metadata.100%': 'sim' })).toEqual([2]);
  expect(await matches({ 'metadata.a.b': 1 })).toEqual([2]);
  expect(await matches({ 'metadata.deal': { exists: false } })).toEqual([3]);
  expect(await matches({ 'metadata.deal': { inq: ['D2', 'D3'] } })).toEqual([1]);
  expect(await matches({ 'metadata.deal': { ilike: 'd%' } })).toEqual([0, 1, 2]);
  // A string does not match the equal-looking number.
  expect(await matches({ 'metadata.tries': '1' })).toEqual([]);
});

test('LIST-08 every operator selects exactly the matching calls', async () => {
  expect(await matches({ and: [{ from: '1000' }, { duration: { gt: 10 } }] })).toEqual([2]);
  expect(await matches({ or: [{ from: '1001' }, { status: 'answered' }] })).toEqual([1, 3]);
  expect(await matches({ duration: { eq: 10 } })).toEqual([0]);
  expect(await matches({ hangup_cause: { neq: 'NO_ANSWER' } })).toEqual([0, 2, 3]);
  expect(await matches({ duration: { gte: 10, lt: 61 } })).toEqual([0]);
  expect(await matches({ call_price: { lte: 0.1 } })).toEqual([0]);
  expect(await matches({ duration: { between: [10, 61] } })).toEqual([0, 2]);
  expect(await matches({ from: { inq: ['1001', '1002'] } })).toEqual([1, 3]);
  expect(await matches({ from: { nin: ['1001', '1002'] } })).toEqual([0, 2]);
  expect(await matches({ call_price: { exists: true } })).toEqual([0, 2]);
  expect(await matches({ call_price: null })).toEqual([1, 3]);
});

test('LIST-09 patterns match parts of numbers and names, case-sensitive or not', async () => {
  expect(await matches({ phone: { like: '%98765%' } })).toEqual([0, 1, 2]);
  expect(await matches({ phone: { like: '5511%' } })).toEqual([0, 1, 3]);
  expect(await matches({ to: { ilike: '%0001' } })).toEqual([0, 2]);
  expect(await matches({ to: { nlike: '%0001' } })).toEqual([1, 3]);
  expect(await matches({ first_name: { like: 'A%' } })).toEqual([0, 3]);
  expect(await matches({ first_name: { ilike: 'A%' } })).toEqual([0, 2, 3]);
  expect(await matches({ first_name: { nilike: 'A%' } })).toEqual([1]);
  expect(await matches({ BINA: { like: '%0001' } })).toEqual([0, 2]);
});

test('LIST-06 calls with a recording are found by their link', async () => {
  expect(await matches({ record_url: { exists: true } })).toEqual([2, 3]);
  expect(await matches({ record_url: null })).toEqual([0, 1]);
  expect(await matches({ record_url: { exists: true }, status: 'ended' })).toEqual([2]);
});

test('LIST-13 LIST-20 an unknown field is rejected with the nearest name', async () => {
  for (const [filter, hint] of [
    [{ where: { startedAt: '2026-03-01' } }, /started_at/],
    [{ where: { phones: '1' } }, /phone/],
    [{ order: 'to DESC' }, /only by id, started_at, date, duration, call_price/],
    [{ limit: 0 }, /limit/],
    [{ include: ['prices'] }, /price/],
  ] as const) {
    const answer = await ask('/calls', filter, { page: '1' });
    expect(answer.status).toBe(400);
    expect(answer.body.error.errorCode).toBe('INVALID_FILTER');
    expect(answer.body.error.message).toMatch(hint);
  }
});
