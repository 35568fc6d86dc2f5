import { expect, test } from 'vitest';
import { isSigned, signCaller } from '../../../../src/contexts/telephony/legs/caller-identity.ts';

const signing = { keys: new Map([[3, 'key of the day']]) };
const signedAt = 1_800_000_000;
const caller = {
  sip: 'd41d8cd98f00b204e9800998ecf8427e',
  ramal: '1000',
  domain: 'acme.example',
  called: '5511999990017',
};

/** Returns whether the signature is accepted some seconds after it has expired. */
function isAccepted(secondsLate: number, { notAfter = signedAt } = {}): boolean {
  const signature = `3.7.${signCaller('key of the day', { ...caller, notAfter: signedAt }, '7')}`;
  const at = new Date((signedAt + secondsLate) * 1000);
  const leg = { ...caller, by: 'phone', leg: '1.1', source: '', onNode: 0, notAfter, signature } as const;
  return isSigned(signing, leg, at);
}

test('EXT-27 a signature is accepted until it expires, and for the difference of two clocks', () => {
  expect([-4, 0, 30].map((late) => isAccepted(late))).toEqual([true, true, true]);
});

test('EXT-27 an expired signature is refused, also with a later time than was signed', () => {
  expect(isAccepted(31)).toBe(false);
  expect(isAccepted(31, { notAfter: signedAt + 31 })).toBe(false);
});
