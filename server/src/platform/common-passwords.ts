import { dictionary } from '@zxcvbn-ts/language-common';

/** Shorter passwords are refused because of their length. */
const minLength = 8;

const list: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].filter((word) => word.length >= minLength),
);

/**
 * Whether a password is among the first guesses of an attacker: a word of the list in either direction and any case, a
 * short group of characters that repeats, or consecutive characters. The list does not contain most of the latter two.
 */
export function isCommonPassword(password: string): boolean {
  if (password.length < minLength) return false;
  const lowered = password.toLowerCase();
  return (
    list.has(lowered) ||
    list.has([...lowered].reverse().join('')) ||
    /^(.{1,4})\1+$/su.test(lowered) ||
    isSequence(lowered)
  );
}

/** Whether each character follows the previous one, as in `23456789` or `hgfedcba`. */
function isSequence(text: string): boolean {
  const codes = Array.from(text, (character) => character.charCodeAt(0));
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)));
  return steps.size === 1 && (steps.has(1) || steps.has(-1));
}

/** Code and text of the fault of a common password. */
export const commonPassword = {
  code: 'common_password',
  message: 'is a common password that is easy to guess. Choose another one',
};
