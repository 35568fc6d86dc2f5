import { isValidPhoneNumber, parsePhoneNumberFromString as parsePhoneNumber } from 'libphonenumber-js/max';

/** A number that exists in some country's plan; without a country code it is read as Brazilian. */
export const isPhoneNumber = (text: string): boolean => text.length <= 32 && isValidPhoneNumber(text, 'BR');

const longestText = 32;
const written = /^[ (]*\+?[0-9 ().\-/]+$/;

/**
 * The digits of a number as people write it: a leading + and separators are left out. Undefined for anything else, so
 * that what is left is exactly the digits that were typed.
 */
export const phoneDigits = (text: string): string | undefined =>
  text.length <= longestText && written.test(text) ? text.replaceAll(/[^0-9]/g, '') : undefined;

/** The digits of a number that is valid with its country code in front. */
export function internationalDigits(text: string): string | undefined {
  const digits = phoneDigits(text);
  const number = digits === undefined ? undefined : parsePhoneNumber(`+${digits}`);
  // The parser also understands a 0 between country and area code, but nobody typed the number it makes of that.
  return number?.isValid() && number.number === `+${digits}` ? digits : undefined;
}
