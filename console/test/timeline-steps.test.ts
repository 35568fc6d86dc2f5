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

test('CTRL-24 transfers and added parties are shown with their numbers, which the legs have', () => {
  const transfer = { leg: 'c', kind: 'attended', by: 'a' };
  const timeline = [
    { at: at(1), what: 'transfer_started', ...transfer },
    { at: at(2), what: 'party_joined', party: 'extension', leg: 'c' },
    { at: at(3), what: 'transfer_completed', ...transfer },
    { at: at(4), what: 'transfer_cancelled', ...transfer },
    { at: at(5), what: 'transfer_failed', ...transfer, cause: 'USER_BUSY' },
    { at: at(6), what: 'party_left', party: 'destination', leg: 'd', cause: 'NO_ANSWER' },
  ];
  const legs = [
    { leg: 'c', number: '1001', purpose: 'attended', answered_at: at(2) },
    { leg: 'd', number: '5511955550005', purpose: 'conference', answered_at: null },
  ];
  const call = { timeline, legs, from: '1000', to: '5511987654321' } as unknown as Call;
  const steps = timelineSteps(call, undefined, []).map(({ actor, what, tone, values }) => [
    ...[actor, what, tone, values.to, values.cause],
  ]);
  expect(steps).toEqual([
    ['phone', 'transferStarted', undefined, '1001', ''],
    ['phone', 'partyJoined', undefined, '1001', ''],
    ['phone', 'transferCompleted', 'good', '1001', ''],
    ['phone', 'transferCancelled', undefined, '1001', ''],
    ['phone', 'transferFailed', 'bad', '1001', 'USER_BUSY'],
    ['destination', 'partyFailed', 'bad', '5511955550005', 'NO_ANSWER'],
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
