import { expect, test } from 'vitest';
import { isCommonPassword } from '../../src/platform/common-passwords.ts';

test.for([
  ['a word of the list', ['12345678', 'password', 'iloveyou', 'senha123', 'flamengo']],
  ['in another case', ['PASSWORD', 'Password1', 'Senha123']],
  ['backwards', ['0987654321', 'drowssap']],
  ['a repeated group', ['00000000', 'aaaaaaaaaa', '12121212', '10001000', 'testTEST', '😀'.repeat(8)]],
  ['consecutive characters', ['23456789', '87654321', 'abcdefgh', 'HGFEDCBA']],
] as const)('USER-23 %s is common', ([, passwords]) => {
  expect(passwords.filter((each) => !isCommonPassword(each))).toEqual([]);
});

test('USER-23 other passwords are not', () => {
  const others = ['correct horse battery', 'pao-de-queijo', 'k8Zr-2mQx-71', '91726354', 'abcabcab9', 'x'];
  expect(others.filter(isCommonPassword)).toEqual([]);
});

// The length of a password has its own error, which would otherwise be reported twice.
test('USER-08 a password that is too short is not', () => {
  expect(['1234567', 'seven77', 'aaaa'].filter(isCommonPassword)).toEqual([]);
});
