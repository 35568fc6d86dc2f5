import { expect, test } from 'vitest';
import { secondsToTomorrow } from '../../../src/contexts/caller-ids/code.rules.ts';
import { chooseCallerId, requestedCallerId } from '../../../src/contexts/calls/placing/caller-id.rules.ts';

const bina = '551132345678';
const choose = (caller: string | undefined, owned: string[], binaOf: string | null = bina) => {
  const requested = requestedCallerId({ caller, ramal: '1001', bina: binaOf });
  const choice = chooseCallerId(
    requested,
    requested.number !== undefined && owned.includes(requested.number),
  );
  return choice.ok ? choice.presented : choice.code;
};

test('CALL-21 without another caller presents the owned bina, else the trunk’s number', () => {
  for (const caller of ['1001', undefined, '']) {
    expect(choose(caller, [bina])).toBe(bina);
    expect(choose(caller, [])).toBeNull();
    expect(choose(caller, ['5511987654321'])).toBeNull();
    expect(choose(caller, [bina], '')).toBeNull();
    expect(choose(caller, [bina], null)).toBeNull();
  }
  expect(choose('1001', [bina], '+55 (11) 3234-5678')).toBe(bina);
  expect(choose('1001', [bina], 'Vendas')).toBeNull();
});

test('CALL-22 presents another caller if the account owns it, else rejects it', () => {
  expect(choose('5511987654321', ['5511987654321'])).toBe('5511987654321');
  for (const caller of ['+55 (11) 98765-4321', '(11) 98765-4321', '011987654321'])
    expect(choose(caller, ['5511987654321']), caller).toBe('5511987654321');
  for (const caller of ['5511987654321', '1002', '01001', '+1001', 'anonymous', '5511987654321;x', bina])
    expect(choose(caller, []), caller).toBe('CALLER_ID_NOT_ALLOWED');
});

test('CALL-37 the day of a code call ends at midnight in Sao Paulo', () => {
  expect(secondsToTomorrow(new Date('2026-11-15T02:59:59.000Z'))).toBe(1);
  expect(secondsToTomorrow(new Date('2026-11-15T03:00:00.000Z'))).toBe(86_400);
  // Daylight saving time started at midnight of the 4th and ended at midnight of the 17th.
  expect(secondsToTomorrow(new Date('2018-11-03T15:00:00.000Z'))).toBe(12 * 3600);
  expect(secondsToTomorrow(new Date('2018-02-17T15:00:00.000Z'))).toBe(12 * 3600);
});
