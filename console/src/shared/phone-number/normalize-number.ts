const international = 10;
const brazil = '55';

/** Returns the digits of the text, with the Brazilian country code if it is missing. */
export function withCountryCode(text: string): string {
  const digits = text.replaceAll(/\D/g, '');
  return !text.trim().startsWith('+') && /^\d{10,11}$/.test(digits) ? `${brazil}${digits}` : digits;
}

/**
 * Normalizes typed or pasted text to the digits to dial: adds the country code to Brazilian numbers with an area code,
 * keeps international numbers and extensions. Returns undefined if the text cannot be dialed.
 */
export function normalizeNumber(text: string): string | undefined {
  if (!/^[\d\s()+./-]+$/.test(text)) return undefined;
  const digits = text.replaceAll(/\D/g, '');
  if (text.trim().startsWith('+')) return digits.length >= 8 && digits.length <= 15 ? digits : undefined;
  const number = digits.replace(/^0+(?=\d{10,11}$)/, '');
  if (number.length === international || number.length === international + 1) return `${brazil}${number}`;
  const isExtension = number.length >= 2 && number.length <= 8;
  return isExtension || (number.length >= 12 && number.length <= 15) ? number : undefined;
}
