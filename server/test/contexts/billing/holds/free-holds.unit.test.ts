import { expect, test } from 'vitest';
import { planFreeHold } from '../../../../src/contexts/billing/index.ts';

const call = {
  accountId: 1,
  callId: '01a1e74e-4152-7d1b-aaac-82efdc18a393',
  book: 'test' as const,
  destination: '1001',
  at: new Date(0),
};

test('LIMIT-21 a free call is funded for the minutes of its account, and for four hours without a budget', () => {
  const limited = planFreeHold({ ...call, mostSeconds: 600 });
  expect([limited.fundedSeconds, limited.expiresAt]).toEqual([600, new Date(900_000)]);
  expect(planFreeHold({ ...call, mostSeconds: undefined }).fundedSeconds).toBe(4 * 3600);
  expect(planFreeHold({ ...call, mostSeconds: 24 * 3600 }).fundedSeconds).toBe(4 * 3600);
});
