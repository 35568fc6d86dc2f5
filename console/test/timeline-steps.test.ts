import { expect, test } from 'vitest';
import { timelineSteps } from '../src/features/calls/details/timeline-steps.ts';
import type { Call } from '../src/features/calls/queries.ts';

const at = (second: number): string => `2026-01-01T12:00:0${second}.000Z`;

test('AUDIO-10 AUDIO-11 AUDIO-13 EXT-28 missing and returned audio is shown at the party it comes from', () => {
  const timeline = [
    { at: at(0), what: 'answered' },
    { at: at(3), what: 'audio_missing', from: 'extension', reason: 'no_packets' },
    { at: at(4), what: 'audio_missing', from: 'destination', reason: 'undecodable' },
    { at: at(6), what: 'audio_returned', from: 'extension' },
    { at: at(7), what: 'audio_missing', from: 'extension', reason: 'other_address' },
  ];
  const call = { timeline, from: '1000', to: '5511987654321' } as unknown as Call;
  const steps = timelineSteps(call, undefined, []).map(({ actor, what, tone }) => [actor, what, tone]);
  expect(steps).toEqual([
    ['destination', 'answered', 'good'],
    ['phone', 'audioMissing', 'bad'],
    ['destination', 'audioUndecodable', 'bad'],
    ['phone', 'audioReturned', 'good'],
    ['phone', 'audioOtherAddress', 'bad'],
  ]);
});
