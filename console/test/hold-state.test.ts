import { expect, test } from 'vitest';
import { holdState } from '../src/shared/calls/hold-state.ts';

type Call = Parameters<typeof holdState>[0];

const at = '2026-01-01T12:00:00.000Z';
const held = (leg: string) => ({ at, what: 'held', leg });
const resumed = (leg: string) => ({ at, what: 'resumed', leg });

const call = (changes: Partial<NonNullable<Call>>): Call => ({
  call_type: 'outbound',
  from: '1000',
  to: '5511987654321',
  on_hold: true,
  status: 'answered',
  timeline: [{ at, what: 'answered' }, held('b')],
  ...changes,
});

test.each<[string, Call, ReturnType<typeof holdState>]>([
  ['an unknown call', undefined, { isHolding: false, isHeld: false }],
  ['a destination on hold', call({}), { isHolding: true, isHeld: false }],
  ['an extension on hold', call({ timeline: [held('a')] }), { isHolding: false, isHeld: true }],
  ['both on hold', call({ timeline: [held('a'), held('b')] }), { isHolding: true, isHeld: true }],
  [
    'one of both resumed',
    call({ timeline: [held('a'), held('b'), resumed('a')] }),
    { isHolding: true, isHeld: false },
  ],
  ['an ended call', call({ status: 'ended' }), { isHolding: false, isHeld: false }],
  ['a resumed call', call({ on_hold: false }), { isHolding: false, isHeld: false }],
  [
    'the caller of an inbound call',
    call({ call_type: 'inbound', timeline: [held('a')] }),
    { isHolding: true, isHeld: false },
  ],
  [
    'the called user of an internal call',
    call({ call_type: 'internal', from: '1001', to: '1000' }),
    { isHolding: false, isHeld: true },
  ],
  [
    'the calling user of an internal call',
    call({ call_type: 'internal', to: '1001' }),
    { isHolding: true, isHeld: false },
  ],
])('who is on hold is read from the timeline: %s', (_, read, expected) => {
  expect(holdState(read, ['1000'])).toEqual(expected);
});
