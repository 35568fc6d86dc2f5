import { expect, test } from 'vitest';
import { interpretEnd } from '../../../../src/contexts/calls/lifecycle/end.rules.ts';

const call = { kind: 'click', state: 'answered', hangupAskedAt: null, fundedSeconds: 60 } as const;

const endAfter = (answeredOnNode: number, endedOnNode: number) => ({
  answeredOnNode,
  endedOnNode,
  cause: 16,
  sipStatus: null,
  dialStatus: 'ANSWER',
  endedBy: 'destination' as const,
});

test('CALL-26 talk time is rounded up to whole seconds, at any start time', () => {
  for (let ms = 0; ms < 1_000; ms += 1) {
    const begin = 1_794_720_965_000 + ms;
    const billedSeconds = (talkedMs: number) =>
      interpretEnd(call, endAfter(begin / 1000, (begin + talkedMs) / 1000)).seconds;
    expect([billedSeconds(5_000), billedSeconds(5_001), billedSeconds(0)]).toEqual([5, 6, 0]);
  }
});
