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

test('CTRL-02 CTRL-03 CTRL-04 hold, mute and leaving are shown at their party', () => {
  const timeline = [
    { at: at(1), what: 'held', party: 'destination', leg: 'b' },
    { at: at(2), what: 'resumed', party: 'destination', leg: 'b' },
    { at: at(3), what: 'muted', party: 'extension', leg: 'a' },
    { at: at(4), what: 'unmuted', party: 'extension', leg: 'a' },
    { at: at(5), what: 'party_left', party: 'extension', leg: 'a' },
  ];
  const call = { timeline, from: '1000', to: '5511987654321' } as unknown as Call;
  expect(timelineSteps(call, undefined, []).map(({ actor, what }) => [actor, what])).toEqual([
    ['destination', 'putOnHold'],
    ['destination', 'resumed'],
    ['phone', 'muted'],
    ['phone', 'unmuted'],
    ['phone', 'partyLeft'],
  ]);
});
