import { expect, test } from 'vitest';
import type { RunningLeg } from '../../../../src/contexts/calls/index.ts';
import { stepsFor } from '../../../../src/contexts/telephony/legs/leg-steps.rules.ts';

const leg = (letter: string, more: Partial<RunningLeg> = {}): RunningLeg => ({
  id: letter,
  accountId: 1,
  callId: 'call',
  node: 'm1',
  letter,
  role: letter === 'a' ? 'extension' : 'destination',
  number: '',
  engineLeg: `call.${letter}`,
  order: null,
  state: 'answered',
  place: 'room',
  wanted: 'room',
  isMuted: false,
  wantsMute: false,
  purpose: null,
  fetches: null,
  createdAt: new Date(0),
  answeredOnNode: 1,
  answeredAt: new Date(0),
  fundedSeconds: null,
  renewAt: null,
  ...more,
});

const inDial = (letter: string, more: Partial<RunningLeg> = {}) =>
  leg(letter, { place: 'dial', wanted: 'dial', ...more });
const ringing = (letter: string, more: Partial<RunningLeg> = {}) =>
  leg(letter, { state: 'ringing', place: 'none', ...more });

/** Returns the steps with the letters of their legs. */
const stepsOf = (legs: RunningLeg[], recording?: { by: string }): string[] =>
  stepsFor(legs, recording).map((step) => {
    if (step.what === 'lift') return `lift ${step.to.first} ${step.to.second}`;
    return step.what === 'move' ? `move ${step.leg.letter} ${step.to}` : `${step.what} ${step.leg.letter}`;
  });

test('CTRL-04 a leg is muted without a move, and nothing is done twice', () => {
  expect(stepsOf([inDial('a', { wantsMute: true }), inDial('b')])).toEqual(['mute a']);
  expect(stepsOf([inDial('a', { wantsMute: true, isMuted: true }), inDial('b')])).toEqual([]);
});

test('CTRL-02 CTRL-03 both legs leave their Dial together, and are then moved one by one', () => {
  expect(stepsOf([inDial('a', { wanted: 'room' }), inDial('b', { wanted: 'music' })])).toEqual([
    'lift room music',
  ]);
  // The engine has reported one of them.
  expect(stepsOf([leg('a'), inDial('b', { wanted: 'music' })])).toEqual([]);
  expect(stepsOf([leg('a'), leg('b', { place: 'music' })])).toEqual(['move b room']);
  expect(stepsOf([leg('a', { wanted: 'leave' }), leg('b', { place: 'music', wanted: 'music' })])).toEqual([
    'move a leave',
  ]);
  expect(stepsOf([leg('a'), leg('b')])).toEqual([]);
});

test('a leg is dialled once the others have left their Dial, and ended if it is no longer wanted', () => {
  const pending = ringing('c', { state: 'pending' });
  expect(stepsOf([inDial('a', { wanted: 'room' }), inDial('b', { wanted: 'music' }), pending])).toEqual([
    'lift room music',
  ]);
  expect(stepsOf([leg('a'), leg('b'), pending])).toEqual(['dial c']);
  expect(stepsOf([leg('a'), leg('b'), ringing('c')])).toEqual([]);
  expect(stepsOf([leg('a'), leg('b'), ringing('c', { wanted: 'leave' })])).toEqual(['hang-up c']);
  expect(stepsOf([leg('a'), leg('b'), { ...pending, wanted: 'leave' }])).toEqual(['drop c']);
});

test('CTRL-09 a leg does not stay alone, and legs that ring do not outlive those that talk', () => {
  const ended = leg('a', { state: 'ended' });
  expect(stepsOf([ended, leg('b')])).toEqual(['hang-up b']);
  expect(stepsOf([ended, leg('b', { place: 'music', wanted: 'music' }), ringing('c')])).toEqual([]);
  expect(
    stepsOf([ended, leg('b', { state: 'ended' }), ringing('c'), ringing('d', { state: 'pending' })]),
  ).toEqual(['hang-up c', 'drop d']);
});

test('another leg continues the recording after the one whose recorder has stopped', () => {
  const ended = leg('a', { state: 'ended' });
  expect(stepsOf([leg('a'), leg('b'), leg('c')], { by: 'a' })).toEqual([]);
  expect(stepsOf([ended, leg('b'), leg('c')], { by: 'a' })).toEqual(['record b']);
  expect(stepsOf([ended, leg('b'), leg('c')], { by: 'b' })).toEqual([]);
  expect(stepsOf([ended, leg('b', { wanted: 'leave' }), leg('c')], { by: 'a' })).toEqual([
    'record c',
    'move b leave',
  ]);
  expect(stepsOf([ended, leg('b'), leg('c')])).toEqual([]);
});
