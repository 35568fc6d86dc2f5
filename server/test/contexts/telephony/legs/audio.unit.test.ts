import { expect, test } from 'vitest';
import {
  type AudioWatch,
  isFlowing,
  isOver,
  missingReason,
  needsSecond,
  noteFirst,
  noteSecond,
  restartWatch,
  startWatch,
} from '../../../../src/contexts/telephony/legs/audio.rules.ts';

type Packets = [received: number, sent: number];

/** Reads both legs, once per pair of counters. */
function read(watch: AudioWatch, ...readings: [first: Packets, second: Packets | null][]): AudioWatch {
  for (const [first, second] of readings) {
    noteFirst(watch, { received: first[0], sent: first[1] });
    noteSecond(watch, second && { received: second[0], sent: second[1] });
  }
  return watch;
}

const reasons = (watch: AudioWatch) => [missingReason(watch, 'first'), missingReason(watch, 'second')];

test('AUDIO-10 audio is missing after two readings without a packet, for its sender only', () => {
  const watch = read(
    startWatch(),
    [
      [10, 10],
      [10, 10],
    ],
    [
      [10, 85],
      [85, 10],
    ],
  );
  expect(reasons(watch)).toEqual([undefined, undefined]);
  read(watch, [
    [10, 160],
    [160, 10],
  ]);
  expect(reasons(watch)).toEqual(['no_packets', undefined]);
  const other = read(
    startWatch(),
    [
      [10, 10],
      [10, 10],
    ],
    [
      [85, 10],
      [10, 85],
    ],
    [
      [160, 10],
      [10, 160],
    ],
  );
  expect(reasons(other)).toEqual([undefined, 'no_packets']);
});

test('AUDIO-10 a single reading without a packet is no fault', () => {
  const watch = read(startWatch(), [[10, 10], null], [[10, 85], null], [[20, 160], null], [[20, 235], null]);
  expect(reasons(watch)).toEqual([undefined, undefined]);
});

test('AUDIO-11 packets that arrive and are not sent on cannot be decoded', () => {
  const first = read(
    startWatch(),
    [
      [10, 10],
      [10, 10],
    ],
    [
      [85, 85],
      [85, 10],
    ],
    [
      [160, 160],
      [160, 10],
    ],
  );
  expect(reasons(first)).toEqual(['undecodable', undefined]);
  const second = read(
    startWatch(),
    [
      [10, 10],
      [10, 10],
    ],
    [
      [85, 10],
      [85, 85],
    ],
    [
      [160, 10],
      [160, 160],
    ],
  );
  expect(reasons(second)).toEqual([undefined, 'undecodable']);
});

test('AUDIO-13 audio has returned once packets arrive and are sent on', () => {
  const watch = read(
    startWatch(),
    [
      [10, 10],
      [10, 10],
    ],
    [
      [10, 10],
      [10, 10],
    ],
    [
      [10, 10],
      [10, 10],
    ],
  );
  expect([isFlowing(watch, 'first'), isFlowing(watch, 'second')]).toEqual([false, false]);
  read(watch, [
    [60, 10],
    [10, 10],
  ]);
  expect(isFlowing(watch, 'first'), 'received, but not sent on').toBe(false);
  read(watch, [
    [90, 20],
    [20, 40],
  ]);
  expect([isFlowing(watch, 'first'), isFlowing(watch, 'second')]).toEqual([true, true]);
  watch.returned.add('first');
  expect(isOver(watch)).toBe(false);
  watch.returned.add('second');
  expect(isOver(watch)).toBe(true);
});

test('the second leg is read at the start, while a counter stands still and while audio is missing', () => {
  const watch = startWatch();
  for (let packets = 0; packets < 8; packets += 1) {
    expect(needsSecond(watch), `reading ${packets}`).toBe(true);
    read(watch, [[packets, packets], null]);
  }
  expect(needsSecond(watch)).toBe(false);
  read(watch, [[8, 7], null]);
  expect(needsSecond(watch)).toBe(true);
  read(watch, [[9, 9], null]);
  expect(needsSecond(watch)).toBe(false);
  watch.missing.add('first');
  expect(needsSecond(watch)).toBe(true);
  watch.returned.add('first');
  expect(needsSecond(watch)).toBe(false);
});

test('AUDIO-12 counters from before a hold are forgotten', () => {
  const watch = read(startWatch(), [[10, 10], null], [[10, 85], null], [[10, 160], null]);
  restartWatch(watch);
  read(watch, [[10, 160], null], [[10, 235], null]);
  expect(reasons(watch)).toEqual([undefined, undefined]);
});

test('bug: AUDIO-10 AUDIO-11 audio that ends between the readings of both legs was received until then, and is not undecodable', () => {
  const watch = read(
    startWatch(),
    [
      [10, 10],
      [10, 50],
    ],
    // The first leg was read before the loss, and the second after it.
    [
      [85, 85],
      [85, 100],
    ],
    [
      [100, 160],
      [160, 100],
    ],
    [
      [100, 235],
      [235, 100],
    ],
  );
  expect(reasons(watch)).toEqual([undefined, undefined]);
  read(watch, [
    [100, 310],
    [310, 100],
  ]);
  expect(reasons(watch)).toEqual(['no_packets', undefined]);
});
