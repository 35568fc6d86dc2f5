import { expect, test } from 'vitest';
import { reservedForLive } from '../../../../src/contexts/telephony/nodes/node.rules.ts';

test.each([
  [1, 0],
  [2, 1],
  [4, 1],
  [7, 1],
  [8, 2],
  [200, 50],
])('LIMIT-27 a node of %i calls reserves %i of them for live accounts', (maxCalls, reserved) => {
  expect(reservedForLive(maxCalls)).toBe(reserved);
});
