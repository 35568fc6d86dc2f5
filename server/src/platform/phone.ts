import { isValidPhoneNumber, parsePhoneNumberFromString as parsePhoneNumber } from 'libphonenumber-js/max';

/** A number of some country's numbering plan; without a country code it is read as Brazilian. */
export const isPhoneNumber = (text: string): boolean => text.length <= 32 && isValidPhoneNumber(text, 'BR');

const longestText = 32;
const written = /^[ (]*\+?[0-9 ().\-/]+$/;

/**
 * Returns the digits of a number as people write it, without a leading + and separators; undefined for anything else, so
 * that the result is exactly the digits that were typed.
 */
export const phoneDigits = (text: string): string | undefined =>
  text.length <= longestText && written.test(text) ? text.replaceAll(/[^0-9]/g, '') : undefined;

/** Returns the digits of a number that is valid with its country code. */
export function internationalDigits(text: string): string | undefined {
  const digits = phoneDigits(text);
  const number = digits === undefined ? undefined : parsePhoneNumber(`+${digits}`);
  // The parser also accepts a 0 between country and area code, but returns a number that was not typed.
  return number?.isValid() && number.number === `+${digits}` ? digits : undefined;
}
