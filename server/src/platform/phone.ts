import { type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/**
 * The parser of telephone numbers for the API, the filters, the phones and the console.
 *
 * A number is read with its country code. It is also read as a Brazilian number with area code if its notation marks it
 * as such: a leading 0, a `tel:` URI without `+`, or separators.
 */

export type PhoneReading =
  | { kind: 'number'; digits: string; country: string | undefined; type: string | undefined }
  /** Emergency, short and service numbers; most are not E.164 numbers. */
  | { kind: 'special' }
  /** Valid with its country code and as a Brazilian number. */
  | { kind: 'ambiguous'; readings: string[] }
  | { kind: 'invalid' };

export function readPhone(text: string): PhoneReading {
  const spelling = takeApart(text);
  if (spelling === undefined) return { kind: 'invalid' };
  if (isSpecial(spelling.digits)) return { kind: 'special' };
  const [number, other] = readingsOf(spelling);
  if (number === undefined) return { kind: 'invalid' };
  if (other !== undefined) return { kind: 'ambiguous', readings: [digitsOf(number), digitsOf(other)] };
  return { kind: 'number', digits: digitsOf(number), country: number.country, type: number.getType() };
}

/** Explains why a text is refused; the message follows the name of the field. */
export const phoneFault = (reading: PhoneReading): { code: string; message: string } =>
  reading.kind === 'ambiguous'
    ? {
        code: 'ambiguous_number',
        message: `can be read as ${reading.readings.map((digits) => `+${digits}`).join(' and ')}: write it with +, or with 0 before the area code`,
      }
    : {
        code: 'invalid_number',
        message: 'must be a valid number: country code, area code and number, or 0, area code and number',
      };

/** Returns the digits as typed, without a leading + and separators; undefined for anything else. */
export const phoneDigits = (text: string): string | undefined =>
  text.length <= longestText && written.test(text) ? onlyDigits(text) : undefined;

/** Returns the digits with country code if the text has exactly one reading, else the digits as typed. */
export function canonicalDigits(text: string): string | undefined {
  const reading = readPhone(text);
  return reading.kind === 'number' ? reading.digits : phoneDigits(text);
}

/**
 * Returns the stored digits that a search for this text finds. Both readings are searched, because nothing is dialled.
 */
export function searchedDigits(text: string): string[] {
  const spelling = takeApart(text);
  if (spelling === undefined) return [text];
  const readings = readingsOf(spelling).map(digitsOf);
  return /^\d+$/.test(text) || readings.length === 0
    ? [...new Set([spelling.digits, ...readings])]
    : readings;
}

/**
 * Returns the readings of a contact number, with country code. Contact numbers are not dialled, so a Brazilian number
 * needs no mark and an extension may follow.
 */
export function contactReadings(text: string): string[] {
  const spelling = takeApart(text.replace(contactExtension, ''));
  return spelling === undefined ? [] : readingsOf({ ...spelling, isMarked: true }).map(digitsOf);
}

export const isContactNumber = (text: string): boolean => contactReadings(text).length > 0;

/** Returns the digits of every notation of a number given with its country code. */
export const spellingsOf = (digits: string): string[] =>
  digits.startsWith(brazil)
    ? [digits, digits.slice(brazil.length), `0${digits.slice(brazil.length)}`]
    : [digits];

const brazil = '55';
const longestText = 64;
const written = /^[ (]*\+?[0-9 ().\-/]+$/;
const telUri = /^ *tel:([^;]*)((?:;[a-z0-9-]+(?:=[\w.+!~*'()%:[\]&$/-]*)?)*)$/i;
const contactExtension = /(?:;ext=| *(?:ramal|ext\.?|x|#) *)\d{1,7}$/i;

interface Spelling {
  digits: string;
  hasCountryCode: boolean;
  /** Marked as a Brazilian number. */
  isMarked: boolean;
  /** Parentheses enclose an area code, or a country code after +. */
  isAreaEnclosed: boolean;
}

function takeApart(text: string): Spelling | undefined {
  if (text.length > longestText) return undefined;
  const [uri, subscriber = '', parameters = ''] = telUri.exec(text) ?? [];
  if (uri !== undefined) return takeApartUri(subscriber, parameters);
  if (!written.test(text)) return undefined;
  return {
    digits: onlyDigits(text),
    hasCountryCode: text.includes('+'),
    isMarked: /^\D*0/.test(text) || /\d[^\d+]+\d/.test(text),
    isAreaEnclosed: /^ *\(\d+\)/.test(text),
  };
}

/** Parses a `tel:` URI. Parameters that change the dialled number are refused; others are ignored (RFC 3966). */
function takeApartUri(subscriber: string, parameters: string): Spelling | undefined {
  if (!written.test(subscriber) || /;(?:ext|isub|m-[^;=]*)(?:[;=]|$)/i.test(parameters)) return undefined;
  const digits = onlyDigits(subscriber);
  if (subscriber.includes('+')) {
    return { digits, hasCountryCode: true, isMarked: false, isAreaEnclosed: false };
  }
  const context = /;phone-context=\+([0-9.()-]+)(?:;|$)/i.exec(parameters)?.[1];
  if (context === undefined) return { digits, hasCountryCode: false, isMarked: true, isAreaEnclosed: false };
  return {
    digits: `${onlyDigits(context)}${digits.replace(/^0/, '')}`,
    hasCountryCode: true,
    isMarked: false,
    isAreaEnclosed: false,
  };
}

const onlyDigits = (text: string): string => text.replaceAll(/[^0-9]/g, '');

/** Returns the valid readings, the one with country code first. */
function readingsOf({ digits, hasCountryCode, isMarked, isAreaEnclosed }: Spelling): PhoneNumber[] {
  const international = validNumber(digits);
  const national =
    hasCountryCode || !isMarked ? undefined : validNumber(`${brazil}${digits.replace(/^0/, '')}`);
  const readings = national && isAreaEnclosed ? [national] : [international, national];
  return readings.filter((number) => number !== undefined);
}

/**
 * Parses a number. The library also accepts a 0 between country and area code, but then returns a number that was not
 * typed.
 */
function validNumber(digits: string): PhoneNumber | undefined {
  const number = parsePhoneNumberFromString(`+${digits}`);
  return number?.isValid() && number.number === `+${digits}` ? number : undefined;
}

const digitsOf = ({ number }: PhoneNumber): string => number.slice(1);

/** Short codes of any country, with or without 0 or 00. Codes that begin with 55 are read with the country code. */
const shortCode = /^0{0,2}(?!55)\d{3,5}$/;
/** Brazilian short codes after the country code, with or without an area code; `5511` is an incomplete number. */
const brazilianShortCode = /^0{0,2}55(?:0\d|1\d\d|10\d{2,3}|[1-9]{2}1\d\d)$/;
/** Brazilian service numbers (0300, 0500, 0800, 0900), which exist inside Brazil only. */
const serviceNumber = /^(?:0{0,2}55)?0[3589]0[03]\d*$/;
const emergencyNumber = /^(?:000|1[01]\d|19\d|911|933|988|99\d)$/;
const longestCountryCode = 3;

const isSpecial = (digits: string): boolean =>
  shortCode.test(digits) ||
  brazilianShortCode.test(digits) ||
  serviceNumber.test(digits) ||
  // An emergency number after a country code, such as +351 112.
  (digits.length <= longestCountryCode + 3 && emergencyNumber.test(digits.slice(-3)));
