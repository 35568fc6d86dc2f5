import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { leastConcurrentCalls } from '../../../../src/contexts/calls/limits/caps.rules.ts';

test('the SQL function that reserves call slots has the same default limit', () => {
  const sql = readFileSync(new URL('../../../../sql/billing/hold_for_call.sql', import.meta.url), 'utf8');
  const limit = /coalesce\(max_concurrent, (\d+)\)/.exec(sql)?.[1];
  expect(Number(limit)).toBe(leastConcurrentCalls);
});
