/** Check digits as the tax office defines them, independent of the service's code. */

const characterValue = (character: string): number => character.charCodeAt(0) - 48;

function checkDigit(base: string, weights: number[]): number {
  const sum = [...base].reduce(
    (total, character, at) => total + characterValue(character) * (weights[at] ?? 0),
    0,
  );
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}

function withDigits(base: string, first: number[], second: number[]): string {
  const once = base + checkDigit(base, first);
  return once + checkDigit(once, second);
}

/** Appends the check digits to nine digits. */
export const completeCpf = (base: string): string =>
  withDigits(base, [10, 9, 8, 7, 6, 5, 4, 3, 2], [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);

/** Appends the check digits to twelve digits or capital letters. */
export const completeCnpj = (base: string): string =>
  withDigits(base, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2], [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]);
