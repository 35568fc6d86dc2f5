import { cnpj, cpf } from 'cpf-cnpj-validator';

/** Returns the tax id as stored: digits and, in the new CNPJ format, capital letters, without separators. */
export const plainTaxId = (text: string): string => text.replaceAll(/[.\-/\s]/g, '').toUpperCase();

/** Returns whether the text is a CPF or CNPJ (including alphanumeric ones) with valid check digits. */
export const isTaxId = (plain: string): boolean =>
  /^\d{11}$/.test(plain) ? cpf.isValid(plain) : /^[0-9A-Z]{12}\d{2}$/.test(plain) && cnpj.isValid(plain);

export const personType = (plain: string): 'FISICA' | 'JURIDICA' =>
  plain.length === 11 ? 'FISICA' : 'JURIDICA';
