import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { leastConcurrentCalls } from '../../../../src/contexts/calls/limits/caps.rules.ts';

test.each([
  ['billing/hold_for_call', /coalesce\(max_concurrent, (\d+)\)/],
  ['calls/place_call', /m\.is_set OR m\.most <= (\d+)/],
])('the SQL function %s has the same default limit', (name, pattern) => {
  const sql = readFileSync(new URL(`../../../../sql/${name}.sql`, import.meta.url), 'utf8');
  expect(Number(pattern.exec(sql)?.[1])).toBe(leastConcurrentCalls);
});
