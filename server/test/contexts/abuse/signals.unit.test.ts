import { expect, test } from 'vitest';
import { explain } from '../../../src/contexts/abuse/explain.rules.ts';
import { signalsOf } from '../../../src/contexts/abuse/signals.rules.ts';

type Observed = Parameters<typeof signalsOf>[0];

const reais = 1_000_000;
const officeHour = 9;
const weekendNight = 6 * 24 + 2;

/** An account that calls São Paulo on weekdays, for R$ 0.10 per minute, and answers half of its calls. */
const ordinary: Observed = {
  traffic: {
    accountId: 1,
    timezone: 'America/Sao_Paulo',
    calls: 60,
    ended: 60,
    answered: 30,
    short: 3,
    spentMicros: 3 * reais,
    destinations: [{ prefix: '5511', calls: 60, minutePriceMicros: reais / 10, running: ['a'] }],
  },
  history: {
    days: 28,
    calls: 4_000,
    answered: 2_000,
    short: 200,
    talkSeconds: 240_000,
    spentMicros: 400 * reais,
    highestHourMicros: 5 * reais,
    byHourOfWeek: Array.from({ length: 168 }, (_, hour) =>
      hour < 5 * 24 && hour % 24 >= 8 && hour % 24 < 18 ? 80 : 0,
    ),
  },
  newPrefixes: new Set(),
  hourOfWeek: officeHour,
};

const kinds = (
  traffic: Partial<Observed['traffic']>,
  {
    history = {},
    ...rest
  }: Partial<Omit<Observed, 'history' | 'traffic'>> & {
    history?: Partial<Observed['history']>;
  } = {},
): string[] =>
  signalsOf({
    ...ordinary,
    ...rest,
    traffic: { ...ordinary.traffic, ...traffic },
    history: { ...ordinary.history, ...history },
  }).map(({ facts }) => facts.kind);

test('ABUSE-01 ordinary traffic raises no signal', () => {
  expect(kinds({})).toEqual([]);
});

test('ABUSE-02 spending is judged by the highest hour, and R$ 10 are always allowed', () => {
  expect(kinds({ spentMicros: 15 * reais })).toEqual([]);
  expect(kinds({ spentMicros: 15 * reais + 1 })).toEqual(['spend_velocity']);
  expect(kinds({ spentMicros: 10 * reais }, { history: { highestHourMicros: 0 } })).toEqual([]);
  expect(kinds({ spentMicros: 10 * reais + 1 }, { history: { highestHourMicros: 0 } })).toEqual([
    'spend_velocity',
  ]);
});

test('ABUSE-02 three calls to new and expensive destinations are a signal, which names them and their running calls', () => {
  const dear = (calls: number, minutePriceMicros = reais, prefix = '2376') => ({
    prefix,
    calls,
    minutePriceMicros,
    running: ['b'],
  });
  const newPrefixes = new Set(['2376', '4479', '5521']);
  const found = (...destinations: ReturnType<typeof dear>[]) => kinds({ destinations }, { newPrefixes });
  expect(found(dear(3))).toEqual(['new_destinations']);
  expect(found(dear(2))).toEqual([]);
  expect(found(dear(2), dear(1, reais, '4479'))).toEqual(['new_destinations']);
  expect(found(dear(3, reais / 2 - 1))).toEqual([]);
  expect(found(dear(300, reais / 10, '5521'))).toEqual([]);
  expect(kinds({ destinations: [dear(3)] })).toEqual([]);
  // Usually R$ 0.50 per minute: three times as much is R$ 1.50.
  const usual = { history: { spentMicros: 2_000 * reais }, newPrefixes };
  expect(kinds({ destinations: [dear(3, 1.4 * reais)] }, usual)).toEqual([]);
  expect(kinds({ destinations: [dear(3, 1.5 * reais)] }, usual)).toEqual(['new_destinations']);

  const [signal] = signalsOf({
    ...ordinary,
    newPrefixes,
    traffic: { ...ordinary.traffic, destinations: [...ordinary.traffic.destinations, dear(3)] },
  });
  expect(signal?.running).toEqual(['b']);
  expect(signal && explain(signal.facts)).toBe(
    '3 calls in 15 minutes to numbers beginning with 2376, at up to R$ 1.00 per minute; the account has not called these in 90 days and usually pays R$ 0.10 per minute.',
  );
});

test('ABUSE-01 ABUSE-03 calls at an hour of the week without calls are a signal after 14 days', () => {
  expect(kinds({ calls: 5 }, { hourOfWeek: weekendNight })).toEqual(['outside_hours']);
  expect(kinds({ calls: 4 }, { hourOfWeek: weekendNight })).toEqual([]);
  expect(kinds({}, { hourOfWeek: weekendNight, history: { days: 13 } })).toEqual([]);
  // An hour earlier or later than usual is ordinary.
  expect(kinds({}, { hourOfWeek: 7 })).toEqual([]);
  expect(kinds({}, { hourOfWeek: 18 })).toEqual([]);
  expect(kinds({}, { hourOfWeek: 19 })).toEqual(['outside_hours']);
});

test('ABUSE-01 many short calls are a signal if they are unusual', () => {
  expect(kinds({ answered: 50, short: 41 })).toEqual(['short_calls']);
  expect(kinds({ answered: 50, short: 40 })).toEqual([]);
  expect(kinds({ answered: 49, short: 49 })).toEqual([]);
  expect(kinds({ answered: 50, short: 41 }, { history: { short: 900 } })).toEqual([]);
});

test('ABUSE-01 a collapse of the answer rate is a signal', () => {
  expect(kinds({ ended: 100, answered: 12, short: 0 })).toEqual(['answer_rate']);
  expect(kinds({ ended: 100, answered: 13, short: 0 })).toEqual([]);
  expect(kinds({ ended: 49, answered: 0, short: 0 })).toEqual([]);
  expect(kinds({ ended: 100, answered: 1, short: 0 }, { history: { answered: 700 } })).toEqual([]);
});

test('ABUSE-03 an account with little history is not judged', () => {
  const wild = { spentMicros: 500 * reais };
  expect(kinds(wild, { history: { days: 6 } })).toEqual([]);
  expect(kinds(wild, { history: { calls: 49 } })).toEqual([]);
  expect(kinds(wild, { history: { days: 7, calls: 50, answered: 25 } })).toEqual(['spend_velocity']);
});
