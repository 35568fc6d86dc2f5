import { z } from 'zod';
import { commonPassword, isCommonPassword } from './common-passwords.ts';
import { isContactNumber, phoneFault, readPhone } from './phone.ts';
import { nameSchemas } from './schema-names.ts';

/** Text types shared by several contexts. */

// Control characters would break headers and logs; PostgreSQL rejects unpaired surrogates.
export const printable = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u;

/** A single line of text that can be stored, printed and logged. */
export const lineText = z.string().trim().regex(printable);

export const nameText = lineText
  .min(1)
  .max(200)
  .meta({ description: 'A name of 1 to 200 characters.', examples: ['Ana Souza'] });

export const emailText = z
  .email()
  .max(254)
  .meta({ description: 'An e-mail address.', format: 'email', examples: ['ana@example.com'] });

/** The e-mail address of an existing user. */
export const existingEmailText = emailText.meta({ 'x-refers-to': 'email' });

export const phoneText = z
  .string()
  .trim()
  .refine(isContactNumber, { error: 'must be a valid phone number' })
  .meta({
    description: 'A valid phone number; without a country code it is read as Brazilian.',
    examples: ['5511987654321'],
    'x-kind': 'phone',
  });

/** Documentation of how telephone numbers are written in requests. */
export const phoneSpelling =
  'Digits with country code; a leading + and separators are removed. A Brazilian number may also be written with its area code only, if it has a leading 0, separators, or is a `tel:` URI without +. An ambiguous number is refused.';

/** A telephone number, converted to digits with country code. */
export const internationalText = z
  .string()
  .transform((text, context) => {
    const reading = readPhone(text);
    if (reading.kind === 'number') return reading.digits;
    const { code, message } = phoneFault(reading);
    context.addIssue({ code: 'custom', params: { code }, message });
    return z.NEVER;
  })
  .meta({ description: phoneSpelling, examples: ['5511987654321'], 'x-kind': 'destination' });

/** The first password of a user, which an ADMIN or a CRM sets. */
export const firstPassword = z
  .string()
  .min(8)
  .max(256)
  .meta({
    description: 'A password of 8 to 256 characters. It is never shown again.',
    examples: ['correct horse battery'],
    writeOnly: true,
  });

/** A password that people choose for themselves; see `givenPassword` for one that exists. */
export const passwordText = z
  .string()
  .min(8)
  .max(256)
  .refine((password) => !isCommonPassword(password), {
    error: commonPassword.message,
    params: { code: commonPassword.code },
  })
  .meta({
    description:
      'A password of 8 to 256 characters that is not a common one such as `12345678`. It is never shown again.',
    examples: ['correct horse battery'],
    writeOnly: true,
  });

export const localeText = z
  .enum(['pt-BR', 'en'])
  .meta({ description: 'Language of e-mails and console.', examples: ['pt-BR'] });

export const timestampText = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'ISO 8601 in UTC.', examples: ['2026-11-15T12:00:00.000Z'] });

const lastMomentMs = Date.UTC(9999, 0, 1);

/**
 * A time in a request. The range keeps years at four digits in every time zone and starts in 1970, because ids contain
 * times.
 */
export const momentText = z.iso
  .datetime({ offset: true })
  .refine((text) => Date.parse(text) >= 0 && Date.parse(text) < lastMomentMs, {
    error: 'must be between 1970 and 9998',
  });

/**
 * Defines a request body. Unknown fields are refused; read-only fields of the same resource are ignored, so that a
 * resource can be sent back as it was read.
 */
export function requestBody<Shape extends z.ZodRawShape>(shape: Shape, readOnly: readonly string[] = []) {
  const ignored = Object.fromEntries(
    readOnly.map((name) => [
      name,
      z.unknown().optional().meta({ description: 'Read-only: ignored.', readOnly: true }),
    ]),
  );
  return z.strictObject({ ...ignored, ...shape }).transform((body) => {
    const kept = Object.entries(body).filter(([name]) => name in shape);
    return Object.fromEntries(kept) as z.output<z.ZodObject<Shape>>;
  });
}

/** Parses a numeric id. An id that is not a number gets the same response as an unknown one. */
export const idFrom = (given: string | number): number =>
  /^\d{1,15}$/.test(String(given)) ? Number(given) : 0;

/** Clients that create and update with the same request send one of these for an object that has no id yet. */
export const isNoId = (given: unknown): boolean =>
  given === undefined || given === null || given === '' || given === 0 || given === '0';

/** The id in a request that updates the object with it and creates one without it. */
export const optionalId = (description: string, refersTo: string) =>
  z
    .union([z.string(), z.number()])
    .nullish()
    .transform((id) => (isNoId(id) ? undefined : (id ?? undefined)))
    .meta({ description: `${description} null, \`""\` and 0 count as absent.`, 'x-refers-to': refersTo });

/** A numeric id in a path. */
export const pathId = (description: string, refersTo: string) =>
  z
    .string()
    .transform(idFrom)
    .meta({ description, 'x-refers-to': refersTo, examples: ['1'] });

/** A uuid in a path; any other text gets the same response as an unknown uuid. */
export const pathUuid = (description: string, refersTo: string) =>
  z
    .string()
    .meta({ description, 'x-refers-to': refersTo, examples: ['019a8f00-0000-7000-8000-000000000000'] });

/** Returns a field of a body that was refused, if the field itself is valid. */
export function validField<Value>(body: unknown, name: string, field: z.ZodType<Value>): Value | undefined {
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return undefined;
  return field.safeParse((body as Record<string, unknown>)[name]).data;
}

/** Body of routes that have none: nothing, or an empty object. */
export const emptyBody = z.strictObject({}).nullish();

/** A response without a body. */
export const nothing = z.undefined().meta({ description: 'Done. No body.' });

/** The body of every error response. */
export const problem = z.strictObject({
  error: z.strictObject({
    statusCode: z.int().meta({ description: 'The HTTP status.' }),
    errorCode: z.string().meta({ description: 'A stable code to act on.' }),
    name: z.string().meta({ description: 'Name of the HTTP status.' }),
    message: z.string().meta({ description: 'Human-readable message.' }),
    details: z
      .array(
        z.strictObject({
          path: z.string().meta({ description: 'Path of the invalid value.' }),
          code: z.string().meta({ description: 'Kind of error.' }),
          message: z.string().meta({ description: 'Human-readable message.' }),
        }),
      )
      .optional()
      .meta({ description: 'All errors of the request.' }),
  }),
});

nameSchemas({ Problem: problem, Fault: problem.shape.error.shape.details.unwrap().element });

/** An error response of this operation, besides the shared ones. */
export const refused = (description: string) => problem.meta({ description });

/** The header that makes a request safe to retry; other headers are ignored. */
export const idempotencyHeader = z.looseObject({
  'idempotency-key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({
      description: 'Optional: makes the request safe to retry for 24 hours.',
      examples: ['3f6c6d3e-8c52-4d0f'],
    }),
});
