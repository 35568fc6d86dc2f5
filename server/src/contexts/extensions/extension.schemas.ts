import { z } from 'zod';
import { type Caller, roles } from '../../platform/caller.ts';
import type { KeyRing } from '../../platform/keyring.ts';
import { phoneFault, readPhone } from '../../platform/phone.ts';
import { nameSchemas } from '../../platform/schema-names.ts';
import {
  emailText,
  nameText,
  optionalId,
  printable,
  requestBody,
  timestampText,
  validField,
} from '../../platform/schemas.ts';
import type { User } from '../users/index.ts';
import type { NewExtension } from './extension.rules.ts';
import type { Extension } from './extension.ts';
import { openSenha } from './senha.ts';

const ramal = z
  .string()
  .refine((text) => /^\d{2,8}$/.test(text), { error: 'must be 2 to 8 digits' })
  .meta({
    description: 'Number of the extension: 2 to 8 digits, unique in the account.',
    pattern: '^[0-9]{2,8}$',
    examples: ['1000'],
    'x-kind': 'ramal',
  });

// Printable, and not trimmed because it is a password.
const senha = z
  .string()
  .min(8)
  .max(64)
  .regex(printable)
  .meta({
    description:
      "The softphone's password: 8 to 64 characters, different from the ramal and, if it is new, not a common one such as `12345678`. Returned to an ADMIN only.",
    examples: ['k8Zr-2mQx-71'],
    'x-kind': 'senha',
  });

const bina = z
  .string()
  .max(64)
  .transform((text, context) => {
    if (/^(\d{3,15})?$/.test(text)) return text;
    const reading = readPhone(text);
    if (reading.kind === 'number') return reading.digits;
    const { code, message } = phoneFault(reading);
    context.addIssue({ code: 'custom', params: { code }, message: `${message}, or empty` });
    return z.NEVER;
  })
  .meta({
    description:
      'Number shown to the called party, if the account owns it; empty or null for the default. Stored as digits; a number with a leading + or separators is converted.',
    examples: ['551140028922'],
    'x-kind': 'bina',
  });

const flag = (description: string) =>
  z.literal([0, 1, true, false]).meta({ description: `${description} 0, 1, false or true.`, examples: [1] });
const recorded = 'Whether calls of the extension are recorded.';
const answered =
  'Whether the softphone is asked to auto-answer calls that another user places. Defaults to 0.';

const withoutRamal = {
  senha,
  first_name: nameText.meta({ examples: ['Ana'] }),
  last_name: nameText.meta({ examples: ['Souza'] }),
  email_address: emailText.meta({
    description:
      'E-mail of the owner. The user of the account with this e-mail becomes the owner, unless the user set the address and has not confirmed it.',
  }),
  gravar_audio: flag(recorded),
  bina: bina.nullish(),
  auto_answer: flag(answered).nullish(),
};
const readOnly = ['domain', 'registered', 'registered_at', 'user'];

export const newExtension = requestBody({ ramal, ...withoutRamal }, ['id', ...readOnly]);
export const nextExtension = requestBody(withoutRamal, ['id', ...readOnly]);

const maxRows = 500;

export const manyExtensions = requestBody({
  extensions: z
    .array(newExtension)
    .min(1)
    .max(maxRows)
    .meta({ description: `1 to ${maxRows} extensions.`, examples: [], 'x-kind': 'extension-rows' }),
  dryRun: z
    .boolean()
    .optional()
    .meta({ description: 'Only validate the rows.', examples: [false] }),
}).meta({ 'x-most-faults': 2_000 });

const required = ['ramal', 'senha', 'first_name', 'last_name', 'email_address', 'gravar_audio'] as const;

const id = optionalId('The extension to update; without it, one is created.', 'extension');

export const changedExtension = requestBody(
  {
    id,
    ramal: ramal.optional(),
    senha: senha.optional(),
    first_name: withoutRamal.first_name.optional(),
    last_name: withoutRamal.last_name.optional(),
    email_address: withoutRamal.email_address.optional(),
    gravar_audio: withoutRamal.gravar_audio.optional(),
    bina: withoutRamal.bina,
    auto_answer: withoutRamal.auto_answer,
  },
  readOnly,
).superRefine((body, context) => {
  if (body.id !== undefined) return;
  for (const name of required.filter((each) => body[each] === undefined)) {
    context.addIssue({ code: 'custom', path: [name], message: 'is required', params: { code: 'required' } });
  }
});

type Body = z.output<typeof changedExtension>;

/** Maps a request body to a change: null clears a field, absent fields stay undefined. */
export const changeFrom = (body: Omit<Body, 'id'>) => ({
  ramal: body.ramal,
  senha: body.senha,
  bina: body.bina === null ? '' : body.bina,
  firstName: body.first_name,
  lastName: body.last_name,
  email: body.email_address,
  recordCalls: body.gravar_audio === undefined ? undefined : Boolean(body.gravar_audio),
  autoAnswer: body.auto_answer === undefined ? undefined : Boolean(body.auto_answer),
});

/** Maps a complete request body, with defaults for absent fields. */
export const nextFrom = (body: z.output<typeof nextExtension>): Omit<NewExtension, 'ramal'> => ({
  senha: body.senha,
  bina: body.bina ?? '',
  firstName: body.first_name,
  lastName: body.last_name,
  email: body.email_address,
  recordCalls: Boolean(body.gravar_audio),
  autoAnswer: Boolean(body.auto_answer ?? 0),
});

export const newFrom = (body: z.output<typeof newExtension>): NewExtension => ({
  ...nextFrom(body),
  ramal: body.ramal,
});

/** Returns the valid fields of a refused body whose faults depend on other data. */
export const checkableFrom = (body: unknown) => ({
  id: validField(body, 'id', id),
  ramal: validField(body, 'ramal', ramal),
  senha: validField(body, 'senha', senha),
});

const zeroOrOne = (description: string) => z.literal([0, 1]).meta({ description });

export const extension = z.object({
  id: z.int(),
  domain: z.string().meta({ description: 'Domain of the account, which softphones register at.' }),
  ramal: z.string(),
  senha: z.string().optional().meta({ description: 'Returned to an ADMIN only.', format: 'password' }),
  bina: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email_address: z.string(),
  gravar_audio: zeroOrOne(recorded),
  auto_answer: zeroOrOne(answered),
  registered: z.boolean().meta({ description: 'Whether a softphone is registered now.' }),
  registered_at: timestampText
    .nullable()
    .meta({ description: 'Time of registration; null while not registered.' }),
});

export const freeRamal = z.object({
  ramal: z.string().meta({ description: 'The lowest free number from 1000 up.' }),
});

const owner = z.object({
  uuid: z.uuid(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  role: z.enum(roles),
});

export const revealedSenha = z.object({
  senha: z.string().meta({ format: 'password', examples: ['Kx7mQ2vR9tLw'] }),
});

nameSchemas({
  NewExtension: newExtension,
  NextExtension: nextExtension,
  NewExtensions: manyExtensions,
  ExtensionChange: changedExtension,
  Extension: extension,
  FreeNumber: freeRamal,
  ExtensionOwner: owner,
  RevealedSenha: revealedSenha,
});

export const listedExtension = extension.extend({
  user: owner
    .nullable()
    .optional()
    .meta({ description: 'The owner of the extension, or null; only with `include: "user"`.' }),
});

/** Presents extensions that existed before the request. Console sessions reveal passwords one by one, so that each is recorded. */
export const readPresenter = (keyRing: KeyRing, { role, isConsoleSession }: Caller) =>
  presenter(keyRing, { role: isConsoleSession ? 'USER' : role });

/** Presents extensions to a caller; only ADMINs see the password. */
export const presenter =
  (keyRing: KeyRing, { role }: Pick<Caller, 'role'>) =>
  (shown: Extension): z.output<typeof extension> => ({
    id: shown.id,
    domain: shown.domain,
    ramal: shown.ramal,
    ...(role === 'ADMIN' ? { senha: openSenha(keyRing, shown.senhaSealed) } : {}),
    bina: shown.bina,
    first_name: shown.firstName,
    last_name: shown.lastName,
    email_address: shown.email,
    gravar_audio: shown.recordCalls ? 1 : 0,
    auto_answer: shown.autoAnswer ? 1 : 0,
    registered: shown.registeredAt !== null,
    registered_at: shown.registeredAt?.toISOString() ?? null,
  });

export const presentOwner = (user: User | undefined): { user: z.output<typeof owner> | null } => ({
  user: user
    ? { uuid: user.uuid, name: user.name, email: user.email, phone: user.phone, role: user.role }
    : null,
});
