import { expect, test } from 'vitest';
import { readLegCounts } from '../../../../src/adapters/asterisk/leg-counts.ts';
import type { LegCounts } from '../../../../src/contexts/calls/index.ts';
import { estimate, qualityOf } from '../../../../src/contexts/calls/lifecycle/quality.rules.ts';

const clean: LegCounts = {
  received: 1_000,
  sent: 1_000,
  receivedLost: 0,
  sentLost: 0,
  receivedJitterSeconds: 0.001,
  sentJitterSeconds: 0.002,
  roundTripSeconds: 0.03,
  codec: 'alaw',
};
const click = { kind: 'click' } as const;
const path = { lossPercent: 0, jitterMs: 0, roundTripMs: 0 };

test('QUALITY-03 estimates by loss, jitter and delay as the E-model does', () => {
  expect(estimate(path)).toEqual({ verdict: 'good', issue: null, mos: 4.4 });
  // G.113: Ie,eff of G.711 with concealment at 5 % random loss is 15.8.
  expect(estimate({ ...path, lossPercent: 5 })).toEqual({ verdict: 'fair', issue: 'loss', mos: 3.9 });
  expect(estimate({ ...path, lossPercent: 20 })).toEqual({
    verdict: 'poor',
    issue: 'loss',
    mos: 2.6,
  });
  expect(estimate({ ...path, roundTripMs: 500 })).toMatchObject({ verdict: 'fair', issue: 'delay' });
  expect(estimate({ ...path, jitterMs: 150 })).toMatchObject({ verdict: 'poor', issue: 'jitter' });
  const worst = estimate({ lossPercent: 100, jitterMs: 1_000, roundTripMs: 9_000 });
  expect(worst).toEqual({ verdict: 'poor', issue: 'delay', mos: 1 });
});

test('QUALITY-02 measures loss until the last report, in each direction of each leg', () => {
  // 50 packets per second. The last reports were sent after 20 s, when 1,000 packets had been sent in each direction.
  const first = { ...clean, received: 1_050, sent: 1_100, receivedLost: 50 };
  // The other party also reports the packets that never reached the media node.
  const second = { ...clean, received: 1_100, sent: 1_050, sentLost: 100 };
  const { legs, verdict } = qualityOf(click, { legs: { first, second } }, 22) ?? {};
  expect(legs?.extension).toMatchObject({ received_loss_percent: 5, sent_loss_percent: 0, issue: 'loss' });
  expect(legs?.destination).toMatchObject({
    received_loss_percent: 0,
    sent_loss_percent: 5.2,
    issue: 'loss',
  });
  expect(legs?.extension).toMatchObject({ received_jitter_ms: 1, sent_jitter_ms: 2, round_trip_ms: 30 });
  expect(verdict).toBe('fair');
});

const receivedLoss = (
  kind: 'click' | 'dialled',
  legs: { first: LegCounts; second: LegCounts },
  seconds: number,
) => qualityOf({ kind }, { legs }, seconds)?.legs.extension?.received_loss_percent;

const isAbout5 = (percent: number): boolean => percent > 4.8 && percent < 5.2;

test.each([33, 48, 50, 100])(
  'QUALITY-02 measures the loss of a party that sends %i packets per second',
  (rate) => {
    // A packet of 20 is lost. The last report was sent after 25 s, shortly before the end.
    const received = Math.round(25.1 * rate * 0.95);
    const first = { ...clean, received, receivedLost: Math.round((25 * rate) / 20) };
    const second = { ...clean, sent: received };
    expect(receivedLoss('dialled', { first, second }, 25.1)).toSatisfy(isAbout5);
  },
);

test('QUALITY-02 measures the loss of an extension that answered before the destination', () => {
  // It talked for the last 20.5 of 34 s; the last report was sent after 30 s.
  const first = { ...clean, received: 34 * 50 - 85, receivedLost: 75 };
  const second = { ...clean, sent: 20.5 * 50 - 51 };
  expect(receivedLoss('click', { first, second }, 20.5)).toSatisfy(isAbout5);
});

test('QUALITY-04 a party without audio is no loss, in calls of 5 seconds or more', () => {
  const silent = { ...clean, received: 0 };
  const verdictsOf = (legs: { first: LegCounts; second?: LegCounts }, seconds: number, more = {}) => {
    const quality = qualityOf({ kind: 'inbound' }, { legs, ...more }, seconds);
    return [quality?.verdict, quality?.legs.extension?.verdict, quality?.legs.destination?.verdict];
  };
  expect(verdictsOf({ first: clean, second: silent }, 5)).toEqual(['one_way', 'no_audio', 'good']);
  expect(verdictsOf({ first: silent, second: silent }, 5)).toEqual(['no_audio', 'no_audio', 'no_audio']);
  expect(verdictsOf({ first: clean, second: clean }, 5, { missing: ['first'] })).toEqual([
    'one_way',
    'good',
    'no_audio',
  ]);
  expect(verdictsOf({ first: clean, second: silent }, 4.9)).toEqual([null, null, null]);
  expect(verdictsOf({ first: clean }, 5)).toEqual(['good', undefined, 'good']);
});

test('QUALITY-01 calls with one leg or without counts have no quality', () => {
  expect(qualityOf({ kind: 'code' }, { legs: { first: clean } }, 20)).toBe(null);
  expect(qualityOf(click, {}, 20)).toBe(null);
  expect(qualityOf(click, { legs: { second: clean } }, 20)).toBe(null);
});

test('QUALITY-02 reads the counts of a leg as the engine reports them', () => {
  const line =
    '(opus|alaw)ssrc=1211447385;themssrc=1788218445;lp=48;rxjitter=0.001125;rxcount=1039;txjitter=0.001500;txcount=1086;rlp=3;rtt=0.000885;rxmes=88.035211;txmes=70.821300';
  expect(readLegCounts(line)).toEqual({
    received: 1_039,
    sent: 1_086,
    receivedLost: 48,
    sentLost: 3,
    receivedJitterSeconds: 0.001125,
    sentJitterSeconds: 0.0015,
    roundTripSeconds: 0.000885,
    codec: 'opus',
  });
  const unreported = line.replace(/txjitter=[^;]+/, 'txjitter=0.000000').replace('rlp=3', 'rlp=0');
  expect(
    readLegCounts(unreported.replace(/rtt=[^;]+/, 'rtt=0.000000').replace('lp=48', 'lp=4294967295')),
  ).toEqual(
    expect.objectContaining({
      receivedLost: 0,
      sentLost: null,
      sentJitterSeconds: null,
      roundTripSeconds: null,
    }),
  );
  // An engine that counts a packet as lost before the first one arrives.
  expect(readLegCounts(line.replace('rxcount=1039', 'rxcount=0'))).toMatchObject({
    received: 0,
    receivedLost: 0,
  });
  for (const none of [undefined, '', '(alaw)', line.replace('rxcount=1039', 'rxcount=many')])
    expect(readLegCounts(none)).toBe(undefined);
});
