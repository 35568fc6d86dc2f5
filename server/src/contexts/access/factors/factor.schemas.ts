import { z } from 'zod';
import { nameSchemas } from '../../../platform/schema-names.ts';
import { lineText, timestampText } from '../../../platform/schemas.ts';
import { givenPassword } from '../token.schemas.ts';

export const otp = z
  .string()
  .trim()
  .min(6)
  .max(40)
  .meta({
    description:
      'A code of your app (6 digits) or a recovery code. Without effect for a user without a factor.',
    examples: ['123456'],
    writeOnly: true,
  });

const base64url = z
  .string()
  .max(16_000)
  .regex(/^[\w-]*$/);
const extensionResults = z.record(z.string(), z.unknown());
const attachment = z.enum(['platform', 'cross-platform']).optional();
const credential = {
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  authenticatorAttachment: attachment,
  clientExtensionResults: extensionResults,
};

/** The answer of a browser to `navigator.credentials.get`, as JSON. */
export const passkeyAnswer = z
  .strictObject({
    ...credential,
    response: z.strictObject({
      clientDataJSON: base64url,
      authenticatorData: base64url,
      signature: base64url,
      userHandle: base64url.optional(),
    }),
  })
  .meta({
    description:
      'Answer of the browser to `POST /console/session/passkey`, from `PublicKeyCredential.toJSON()`.',
  });

/** The answer of a browser to `navigator.credentials.create`, as JSON. */
export const passkeyRegistration = z
  .strictObject({
    ...credential,
    response: z.strictObject({
      clientDataJSON: base64url,
      attestationObject: base64url,
      authenticatorData: base64url.optional(),
      transports: z.array(z.string().max(40)).max(10).optional(),
      publicKeyAlgorithm: z.int().optional(),
      publicKey: base64url.optional(),
    }),
  })
  .meta({
    description: 'Answer of the browser, from `PublicKeyCredential.toJSON()`.',
    'x-refers-to': 'passkey-registration',
    examples: [
      {
        id: 'b3JpZ2luYWw',
        rawId: 'b3JpZ2luYWw',
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: 'e30', attestationObject: 'o2NmbXRkbm9uZQ', transports: ['internal'] },
      },
    ],
  });

export const factorName = lineText
  .min(1)
  .max(60)
  .meta({ description: 'Name of the factor, 1 to 60 characters.', examples: ['Phone'] });

export const proof = {
  password: givenPassword,
  otp: otp.optional(),
  passkey: passkeyAnswer.optional(),
};

export const listedFactors = z.object({
  factors: z.array(
    z.object({
      id: z.uuid(),
      kind: z.enum(['totp', 'passkey']).meta({ description: '`totp` is an app that shows codes.' }),
      name: z.string(),
      createdAt: timestampText,
      lastUsedAt: timestampText.nullable(),
    }),
  ),
  recoveryCodesLeft: z.int().min(0),
  isRequired: z.boolean().meta({ description: 'Whether the account requires a second factor of you.' }),
  lastApiLoginAt: timestampText.nullable().meta({
    description:
      'Your last `POST /users/login`. A program that logs in with your password stops working when you add a factor; give it a token.',
  }),
});

export const addedFactor = z.object({
  recoveryCodes: z.array(z.string()).meta({
    description: 'With the first factor: 10 codes, each valid once, returned only now. Otherwise empty.',
    examples: [['7Q4K-9M2X-C0TB-55HA']],
  }),
});

export const totpSetUp = z.object({
  secret: z
    .string()
    .meta({ description: 'The secret in base 32, to type into the app.', format: 'password' }),
  uri: z.string().meta({ description: 'The content of the QR code.', format: 'password' }),
  setUp: z.string().meta({ description: 'To send back with the first code, within 15 minutes.' }),
});

const challenge = z.string().meta({ examples: ['yB5hK0uQ3mWnT8rJ2cXvZ1aLsDfGpE4i'] });
const site = z.string().meta({ examples: ['console.example.com'] });
const timeout = z.int().meta({ description: 'Milliseconds.', examples: [300_000] });

export const passkeyRequest = z.object({
  challenge,
  rpId: site,
  timeout,
  userVerification: z.enum(['required', 'preferred', 'discouraged']),
});

export const passkeyCreation = z.object({
  challenge,
  rp: z.object({ id: site, name: z.string().meta({ examples: ['Disca'] }) }),
  user: z.object({
    id: z.string().meta({ examples: ['mA3kP9xQ7sT2'] }),
    name: z.string().meta({ examples: ['ana@example.com'] }),
    displayName: z.string().meta({ examples: ['Ana Souza'] }),
  }),
  pubKeyCredParams: z.array(
    z.object({ alg: z.int().meta({ examples: [-7] }), type: z.literal('public-key') }),
  ),
  timeout,
  attestation: z.enum(['none', 'indirect', 'direct', 'enterprise']),
  excludeCredentials: z.array(
    z.object({
      id: z.string().meta({ examples: ['pQ8wE2rT6yU1'] }),
      type: z.literal('public-key'),
      transports: z.array(z.string().meta({ examples: ['internal'] })).optional(),
    }),
  ),
  authenticatorSelection: z.object({
    residentKey: z.enum(['required', 'preferred', 'discouraged']),
    requireResidentKey: z.boolean(),
    userVerification: z.enum(['required', 'preferred', 'discouraged']),
  }),
});

export const adminFactors = z.object({
  isRequired: z.boolean().meta({ description: 'Whether ADMINs must have a second factor.' }),
  admins: z.array(
    z.object({
      uuid: z.uuid(),
      name: z.string(),
      email: z.string(),
      hasFactor: z.boolean(),
      lastApiLoginAt: timestampText.nullable().meta({
        description: 'The last `POST /users/login`. These logins stop for an ADMIN without a factor.',
      }),
    }),
  ),
});

nameSchemas({
  PasskeyAnswer: passkeyAnswer,
  PasskeyRegistration: passkeyRegistration,
  SecondFactors: listedFactors,
  AddedFactor: addedFactor,
  TotpSetUp: totpSetUp,
  PasskeyRequest: passkeyRequest,
  PasskeyCreation: passkeyCreation,
  AdminFactors: adminFactors,
});
