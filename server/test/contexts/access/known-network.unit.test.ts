import { expect, test } from 'vitest';
import { isSameNetwork } from '../../../src/contexts/access/known-network.rules.ts';

test.each([
  ['203.0.113.7', '203.0.113.200', true],
  ['203.0.113.7', '203.0.114.7', false],
  ['2001:db8:1:2::/64', '2001:db8:1:3::/64', true],
  ['2001:db8:1:2::/64', '2001:db8:2:2::/64', false],
  ['203.0.113.7', '2001:db8:1:2::/64', false],
  ['unknown', 'unknown', true],
  ['unknown', '203.0.113.7', false],
])('AUTH-20 compares %s and %s by network', (one, other, isSame) => {
  expect(isSameNetwork(one, other)).toBe(isSame);
});
