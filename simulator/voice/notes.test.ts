import { expect, it } from 'vitest';
import { foldLines } from './notes.ts';

const invite = (id: string, callId: string): string =>
  JSON.stringify({
    event: 'invite',
    id,
    at: 1.25,
    side: 'carrier',
    number: '551130000016',
    from: '=551130001234',
    callId: `=${callId}`,
    notAfter: '=',
    alertInfo: '=',
    callInfo: '=',
  });

it('merges the lines of each call, even when calls are interleaved', () => {
  const calls = foldLines(
    [
      invite('a', 'one'),
      invite('b', ''),
      '{"event":"answer","id":"a","at":2.5}',
      '{"event":"end","id":"b","at":3,"by":"other"}',
      '{"event":"end","id":"a","at":4,"by":"self"}',
      '',
    ].join('\n'),
  );
  expect(calls).toMatchObject([
    { id: 'a', callId: 'one', invitedAtMs: 1_250, answeredAtMs: 2_500, endedAtMs: 4_000, endedBy: 'self' },
    { id: 'b', callId: '', endedAtMs: 3_000, endedBy: 'other' },
  ]);
  expect(calls[1]).not.toHaveProperty('answeredAtMs');
});

it('ignores an incomplete line', () => {
  expect(foldLines(`${invite('a', 'one')}\n${invite('b', 'two').slice(0, 40)}`)).toHaveLength(1);
});
