import { z } from 'zod';

/** More digits may not be exact as a number. */
const mostDigits = 15;

/** Converts a number or string to the type of its field; returns anything else, and what would change, as it is. */
export function convertScalar(type: unknown, given: unknown): unknown {
  if (typeof given !== 'string' && typeof given !== 'number') return given;
  const text = String(given);
  if (type instanceof z.ZodEnum) return findByText(type.options, given);
  if (type instanceof z.ZodLiteral) return findByText([...type.values], given);
  if (type instanceof z.ZodBoolean) return text === 'true' || (text === 'false' ? false : given);
  if (type instanceof z.ZodNumber) return isExact(text) ? Number(text) : given;
  return isText(type) && isExact(text) ? text : given;
}

/** E-mails, dates and other formats are classes beside ZodString. */
const isText = (type: unknown): boolean => type instanceof z.ZodType && type.def.type === 'string';

const isExact = (text: string): boolean =>
  /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) && text.replaceAll(/\D/g, '').length <= mostDigits;

const findByText = (values: unknown[], given: string | number): unknown =>
  values.includes(given) ? given : (values.find((each) => String(each) === String(given)) ?? given);
