import { expect, test } from 'vitest';
import { secondsToTomorrow } from '../../../src/contexts/caller-ids/code.rules.ts';
import { requestedCallerId } from '../../../src/contexts/calls/placing/caller-id.rules.ts';

const request = (caller: string | undefined) => requestedCallerId(caller, '1001');

test('CALL-21 without another caller no caller ID is required', () => {
  for (const caller of ['1001', undefined, ''])
    expect(request(caller)).toEqual({ number: undefined, isRequired: false });
});

test('CALL-22 another caller is required, as digits with country code', () => {
  for (const caller of ['5511987654321', '+55 (11) 98765-4321', '(11) 98765-4321', '011987654321'])
    expect(request(caller), caller).toEqual({ number: '5511987654321', isRequired: true });
  for (const caller of ['1002', '01001', '+1001', 'anonymous', '5511987654321;x'])
    expect(request(caller), caller).toMatchObject({ isRequired: true });
});

test('CALL-37 the day of a code call ends at midnight in Sao Paulo', () => {
  expect(secondsToTomorrow(new Date('2026-11-15T02:59:59.000Z'))).toBe(1);
  expect(secondsToTomorrow(new Date('2026-11-15T03:00:00.000Z'))).toBe(86_400);
  // Daylight saving time started at midnight of the 4th and ended at midnight of the 17th.
  expect(secondsToTomorrow(new Date('2018-11-03T15:00:00.000Z'))).toBe(12 * 3600);
  expect(secondsToTomorrow(new Date('2018-02-17T15:00:00.000Z'))).toBe(12 * 3600);
});
