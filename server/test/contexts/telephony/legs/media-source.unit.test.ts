import { expect, test } from 'vitest';
import { readLegSource } from '../../../../src/adapters/asterisk/leg-source.ts';
import {
  isDue,
  isElsewhere,
  startAddedWatch,
  startSourceWatch,
} from '../../../../src/contexts/telephony/legs/media-source.rules.ts';

const contact = (alias: string): string => `sip:1000@192.168.1.7:5060;alias=${alias}`;

test('EXT-28 the addresses of a leg are read from its channel', () => {
  const read = `PJSIP/edge-12-plain-0000002a 198.51.100.7:4000 ${contact('203.0.113.9~61234~1')}`;
  expect(readLegSource(read)).toEqual({ isPlain: true, audio: '198.51.100.7', phone: '203.0.113.9' });
  // The edge adds its parameter at the end, whatever the phone writes before.
  const forged = contact('192.0.2.1~5060~1;alias=203.0.113.9~61234~2');
  expect(readLegSource(`PJSIP/edge-1-plain-1 198.51.100.7:4000 ${forged}`).phone).toBe('203.0.113.9');
  for (const name of ['PJSIP/edge-1-srtp-1', 'PJSIP/edge-1-webrtc-1', 'PJSIP/carrier-1'])
    expect(readLegSource(`${name} 198.51.100.7:4000 sip:x@192.0.2.1`)).toMatchObject({ isPlain: false });
  expect(readLegSource('PJSIP/edge-1-plain-1  ')).toEqual({ isPlain: true, audio: '', phone: '' });
});

test('EXT-28 audio is elsewhere if its address is not that of the phone', () => {
  const isOther = (audio: string, phone: string) => isElsewhere({ isPlain: true, audio, phone });
  expect(isOther('203.0.113.9', '203.0.113.9')).toBe(false);
  expect(isOther('203.0.113.8', '203.0.113.9')).toBe(true);
  // On hold, unknown, or IPv6, whose addresses the edge does not set.
  expect(isOther('0.0.0.0', '203.0.113.9')).toBe(false);
  expect(isOther('', '203.0.113.9')).toBe(false);
  expect(isOther('203.0.113.9', '')).toBe(false);
  expect(isOther('203.0.113.9', '[2001:db8::1]')).toBe(false);
});

test('EXT-28 the legs of phones are read in every round while the engine learns, then in every third', () => {
  const sides = (['click', 'dialled', 'internal', 'inbound', 'code'] as const).map((kind) => [
    ...startSourceWatch(kind).sides,
  ]);
  expect(sides).toEqual([['first'], ['first'], ['first', 'second'], ['second'], []]);
  expect(startAddedWatch('call.c')).toMatchObject({ sides: new Set(['added']), secondLeg: 'call.c' });
  const watch = startSourceWatch('click');
  const rounds = Array.from({ length: 20 }, (_, index) => (isDue(watch) ? index + 1 : 0)).filter(Boolean);
  expect(rounds).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 18]);
  watch.sides.clear();
  expect(Array.from({ length: 3 }, () => isDue(watch))).toEqual([false, false, false]);
});
