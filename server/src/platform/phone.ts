import { isValidPhoneNumber } from 'libphonenumber-js/max';

/** A number that exists in some country's plan; without a country code it is read as Brazilian. */
export const isPhoneNumber = (text: string): boolean => text.length <= 32 && isValidPhoneNumber(text, 'BR');
