import { expect, test } from 'vitest';
import { gradeQuality } from '../src/features/phone/engine/quality.ts';
import { normalizeNumber } from '../src/shared/phone-number/normalize-number.ts';

test.each([
  ['11 98765-4321', '5511987654321'],
  ['(011) 98765-4321', '5511987654321'],
  ['(55) 3222-1234', '555532221234'],
  ['55 11 98765 4321', '5511987654321'],
  ['+55 (11) 98765-4321', '5511987654321'],
  ['+1 212 555 0100', '12125550100'],
  ['1002', '1002'],
])('normalizes %s to %s', (text, number) => {
  expect(normalizeNumber(text)).toBe(number);
});

test.each(['', '1', '98765-4321', 'ana', '+55', '1234567890123456'])('%j cannot be dialed', (text) => {
  expect(normalizeNumber(text)).toBeUndefined();
});

const clear = { received: 100, lost: 0, jitterMs: 5, roundTripMs: 40 };

test.each([
  ['good', clear],
  ['good', { ...clear, roundTripMs: undefined }],
  ['fair', { ...clear, received: 97, lost: 3 }],
  ['fair', { ...clear, jitterMs: 45 }],
  ['fair', { ...clear, roundTripMs: 400 }],
  ['poor', { ...clear, received: 90, lost: 10 }],
  ['poor', { ...clear, received: 0 }],
] as const)('grades a connection as %s by its measurements', (grade, measured) => {
  expect(gradeQuality(measured).grade).toBe(grade);
});
