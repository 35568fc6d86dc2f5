import { expect, test } from 'vitest';
import { hangupCauses } from '../../server/src/contexts/calls/causes.rules.ts';
import { wav } from '../../server/test/harness/fixtures/recordings.ts';
import { computePeaks } from '../src/features/calls/details/peaks.ts';
import { callPhases } from '../src/features/calls/details/phases.ts';
import { countOutcomes, outcomes, outcomeTests } from '../src/features/calls/filter/outcomes.ts';
import { toWhere } from '../src/features/calls/filter/where.ts';
import { rowChange } from '../src/features/calls/table/row-change.ts';
import { parseView, toSearch, validateSearch } from '../src/features/calls/view.ts';
import { addDays, dayInZone, toInstant } from '../src/shared/time/zoned-days.ts';

const zone = 'America/Sao_Paulo';

test('a view round-trips through the URL, and invalid parameters are dropped', () => {
  const search = {
    q: 'ana 11 98765',
    period: '7d',
    order: 'oldest',
    phone: 5511987654321,
    duration: 'between~10~60',
    recording: 'exists~',
    'metadata.deal': 'is~x~y',
    first_name: 'contains~100%',
  };
  expect(toSearch(parseView(search))).toEqual({ ...search, 'metadata.deal': 'is~x~y' });
  expect(validateSearch({ ...search, nonsense: 1, period: 'forever', since: 'soon', call: 'x' })).toEqual(
    Object.fromEntries(Object.entries(search).filter(([name]) => name !== 'period')),
  );
});

test('filters are converted to the API syntax', () => {
  const where = (search: object) => toWhere(parseView({ ...search }), zone, '2026-11-15');
  expect(where({})).toEqual({});
  expect(where({ period: 'today' })).toEqual({ started_at: { gte: '2026-11-15T03:00:00.000Z' } });
  expect(where({ since: '2026-11-01', until: '2026-11-02', status: 'queued,ringing' })).toEqual({
    and: [
      { started_at: { gte: '2026-11-01T03:00:00.000Z', lt: '2026-11-03T03:00:00.000Z' } },
      { status: { inq: ['queued', 'ringing'] } },
    ],
  });
  expect(where({ first_name: 'contains~50%_\\' })).toEqual({ first_name: { ilike: '%50\\%\\_\\\\%' } });
  expect(where({ 'metadata.deal': 7 })).toEqual({ 'metadata.deal': { inq: ['7', 7] } });
  expect(where({ ended_at: 'before~2026-11-15T09:30' })).toEqual({
    ended_at: { lt: '2026-11-15T12:30:00.000Z' },
  });
});

test('an outcome is part of the view and of the filter', () => {
  expect(toSearch(parseView({ outcome: 'busy' }))).toEqual({ outcome: 'busy' });
  expect(validateSearch({ outcome: 'lost' })).toEqual({});
  expect(toWhere(parseView({ outcome: 'answered', period: 'today' }), zone, '2026-11-15')).toEqual({
    and: [
      { started_at: { gte: '2026-11-15T03:00:00.000Z' } },
      { status: 'ended' },
      { answered_at: { exists: true } },
    ],
  });
});

test('CALL-67 every call of a summary is counted under one outcome', () => {
  const cause = (name: string, calls: number, answered = 0) => ({ cause: name, code: '', calls, answered });
  const totals = { calls: 20, ended: 18, answered: 7 };
  const hangupCauses = [
    cause('NORMAL_CLEARING', 7, 6),
    cause('NO_ANSWER', 4),
    cause('USER_BUSY', 3),
    cause('UNALLOCATED_NUMBER', 2),
    cause('NETWORK_OUT_OF_ORDER', 2, 1),
  ];
  const counts = countOutcomes({ totals, hangupCauses } as Parameters<typeof countOutcomes>[0]);
  expect(counts).toEqual({ answered: 7, notAnswered: 5, busy: 3, failed: 3, running: 2 });
  expect(outcomes.reduce((sum, outcome) => sum + counts[outcome], 0)).toBe(totals.calls);
});

test('every known end reason of an unanswered call belongs to one outcome', () => {
  const matches = (cause: string) =>
    (['notAnswered', 'busy', 'failed'] as const).filter((outcome) =>
      outcomeTests(outcome).some(({ hangup_cause }) => {
        const { inq, nin } = (hangup_cause ?? {}) as { inq?: string[]; nin?: string[] };
        return inq?.includes(cause) ?? (nin !== undefined && !nin.includes(cause));
      }),
    );
  for (const cause of hangupCauses) expect(matches(cause), cause).toHaveLength(1);
  expect(matches('NO_ANSWER')).toEqual(['notAnswered']);
  expect(matches('USER_BUSY')).toEqual(['busy']);
  expect(matches('UNALLOCATED_NUMBER')).toEqual(['failed']);
});

test('invalid dates are ignored', () => {
  expect(validateSearch({ since: '2026-13-45', until: '2026-02-31', ended_at: 'after~x' })).toEqual({});
  expect(validateSearch({ since: '2026-02-28', ended_at: 'after~2026-02-28T10:00' })).toEqual({
    since: '2026-02-28',
    ended_at: 'after~2026-02-28T10:00',
  });
});

test('a day whose midnight does not exist starts at its first instant', () => {
  const startOf = (day: string, where: string) => toInstant(day, where).toISOString();
  expect(startOf('2026-09-06', 'America/Santiago')).toBe('2026-09-06T04:00:00.000Z');
  expect(startOf('2026-04-05', 'Australia/Sydney')).toBe('2026-04-04T13:00:00.000Z');
  expect(startOf('2026-10-25T01:30', 'Europe/Berlin')).toBe('2026-10-24T23:30:00.000Z');
});

test('days start and end in their time zone, including DST changes', () => {
  expect(dayInZone(new Date('2026-11-15T02:59:59Z'), zone)).toBe('2026-11-14');
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  expect(toInstant('2026-03-29', 'Europe/Lisbon').toISOString()).toBe('2026-03-29T00:00:00.000Z');
  expect(toInstant('2026-03-30', 'Europe/Lisbon').toISOString()).toBe('2026-03-29T23:00:00.000Z');
});

test('phases cover the whole call without gaps, ended or not', () => {
  const at = (seconds: number) => new Date(seconds * 1000).toISOString();
  const timeline = [
    { at: at(0), what: 'queued' },
    { at: at(1), what: 'ringing' },
    { at: at(5), what: 'answered' },
    { at: at(20), what: 'ended' },
  ];
  const durations = (ended_at: string | null) =>
    callPhases({ timeline, ended_at }, 30_000).map(({ name, fromMs, toMs }) => [name, toMs - fromMs]);
  expect(durations(at(20))).toEqual([
    ['queue', 1_000],
    ['ring', 4_000],
    ['talk', 15_000],
  ]);
  expect(durations(null).at(-1)).toEqual(['talk', 25_000]);
});

test('a waveform is computed from WAV files; other formats are flat', () => {
  const file = wav(2);
  const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer;
  const { peaks, seconds } = computePeaks(bytes);
  expect([peaks.length, seconds]).toEqual([1_000, 2]);
  expect(Math.min(...peaks)).toBeGreaterThan(0);
  expect([...computePeaks(new ArrayBuffer(10)).peaks]).toEqual([0, 0]);
});

test.each([
  ['queued', 'channel-ringing', 'ringing'],
  ['queued', 'channel-dialing', 'dialing'],
  ['ringing', 'channel-dialing', 'dialing'],
  ['dialing', 'channel-ringing', undefined],
  ['answered', 'channel-dialing', undefined],
  ['ended', 'channel-dialing', undefined],
  ['ended', 'channel-answer', undefined],
] as const)('CALL-90 a call in the list that is %s becomes, by %s, %s', (status, type, state) => {
  const row = { status } as Parameters<typeof rowChange>[0];
  const event = { sequence: 0, type, occurredAt: '2026-11-18T12:00:00Z', id: '1', data: {} };
  expect(rowChange(row, event).status).toBe(state);
});
