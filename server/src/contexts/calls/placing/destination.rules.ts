import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { phoneDigits } from '../../../platform/phone.ts';

/** Classification of a dialled text. */
export type Destination =
  | { kind: 'number'; digits: string; country: string | undefined; type: string | undefined }
  /** Emergency, short and service numbers: refused as such, although they are not E.164 numbers. */
  | { kind: 'special' }
  | { kind: 'invalid' };

export type DestinationDecision =
  | { ok: true; digits: string }
  | { ok: false; code: 'VALIDATION_ERROR' | 'DESTINATION_NOT_ALLOWED'; message: string };

/** Short codes of any country, also after a two-digit country or area code, or after 0 or 00. */
const shortCode = /^0{0,2}(?:55)?\d{3,5}$/;
/** Brazilian service numbers (0300, 0500, 0800, 0900), which exist inside Brazil only. */
const serviceNumber = /^(?:0{0,2}55)?0[3589]0[03]\d*$/;
const emergencyNumber = /^(?:000|1[01]\d|19\d|911|933|988|99\d)$/;
const longestCountryCode = 3;

export function readDestination(called: string): Destination {
  const digits = phoneDigits(called);
  if (digits === undefined) return { kind: 'invalid' };
  if (shortCode.test(digits) || serviceNumber.test(digits) || isForeignEmergency(digits)) {
    return { kind: 'special' };
  }
  const number = parsePhoneNumberFromString(`+${digits}`);
  // The parser also accepts a 0 between country and area code, but the result is not the number that was typed.
  if (!number?.isValid() || number.number !== `+${digits}`) return { kind: 'invalid' };
  return { kind: 'number', digits, country: number.country, type: number.getType() };
}

/** An emergency number after a country code, such as +351 112. */
const isForeignEmergency = (digits: string): boolean =>
  digits.length <= longestCountryCode + 3 && emergencyNumber.test(digits.slice(-3));

/** All other types (premium, shared-cost, toll-free, pagers, satellites) are too expensive. */
const ordinaryTypes = new Set(['FIXED_LINE', 'MOBILE', 'FIXED_LINE_OR_MOBILE']);

/** Decides whether an account with these countries (ISO 3166) enabled may call the destination. */
export function allowDestination(
  destination: Destination,
  allowedCountries: readonly string[],
): DestinationDecision {
  switch (destination.kind) {
    case 'invalid':
      return {
        ok: false,
        code: 'VALIDATION_ERROR',
        message: 'must be a valid number: country code, area code and number',
      };
    case 'special':
      return notAllowed('Emergency, short and service numbers cannot be called.');
    case 'number':
      if (!destination.type || !ordinaryTypes.has(destination.type))
        return notAllowed('Only fixed and mobile numbers can be called.');
      // Satellite and other global networks have no country.
      if (!destination.country || !allowedCountries.includes(destination.country))
        return notAllowed('Calls to this country are not enabled for the account.');
      return { ok: true, digits: destination.digits };
  }
}

const notAllowed = (message: string): DestinationDecision => ({
  ok: false,
  code: 'DESTINATION_NOT_ALLOWED',
  message,
});
