import { cnpj, cpf } from 'cpf-cnpj-validator';

/** The tax id as it is kept: digits and, in a CNPJ of the new kind, capital letters, without separators. */
export const plainTaxId = (text: string): string => text.replaceAll(/[.\-/\s]/g, '').toUpperCase();

/** A CPF or a CNPJ, alphanumeric ones included, whose check digits are right. */
export const isTaxId = (plain: string): boolean =>
  /^\d{11}$/.test(plain) ? cpf.isValid(plain) : /^[0-9A-Z]{12}\d{2}$/.test(plain) && cnpj.isValid(plain);

export const personType = (plain: string): 'FISICA' | 'JURIDICA' =>
  plain.length === 11 ? 'FISICA' : 'JURIDICA';
