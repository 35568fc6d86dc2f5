import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf, handlings } from '../../platform/caller.ts';
import { microsFromReais, reaisFromMicros } from '../../platform/money.ts';
import { callViews } from '../../platform/permissions.ts';
import { nameSchemas } from '../../platform/schema-names.ts';
import {
  emailText,
  existingEmailText,
  nameText,
  nothing,
  phoneText,
  refused,
  requestBody,
  timestampText,
} from '../../platform/schemas.ts';
import { afterConsoleProof, forAdmins, forUsers } from '../../platform/scopes.ts';
import { isTimeZone } from '../../platform/time.ts';
import { userQuantities } from './account.rules.ts';
import type { Account } from './account.ts';
import { type ConfirmEmailDeps, confirmEmail } from './confirm-email.ts';
import { requestLive } from './request-live.ts';
import { resendConfirmation } from './resend-confirmation.ts';
import { duplicatesOf, type SignUpDeps, signUp } from './sign-up.ts';
import { checkableFrom, type SignupRules, signupBody } from './signup.schemas.ts';
import { getAccount, updateAccount } from './update-account.ts';

interface AccountRouteDeps extends SignUpDeps, ConfirmEmailDeps {
  signupRules: SignupRules;
}

const tags = ['Accounts'];

const timezone = z
  .string()
  .refine(isTimeZone, { error: 'must be an IANA time zone, such as America/Sao_Paulo' })
  .meta({
    description: 'Time zone of webhook times.',
    examples: ['America/Sao_Paulo'],
    'x-kind': 'timezone',
  });
const reais = z
  .number()
  .min(0)
  .max(1_000_000)
  .refine((amount) => Math.abs(amount * 100 - Math.round(amount * 100)) < 1e-6, {
    error: 'must have at most two decimals',
  })
  .meta({ description: 'Low-balance threshold, in reais.', examples: [10], 'x-kind': 'money' });

const requestHandling = z.enum(handlings).meta({
  description:
    'How requests are read: `strict` refuses unknown fields, `lenient` ignores them and names them in `Disca-Ignored`. The header `Prefer` overrides it.',
  examples: ['strict'],
});

const encryptedPhonesOnly = z.boolean().meta({
  description:
    'Whether phones must connect over TLS or a secure WebSocket, which also encrypt their audio. Others are refused with 403, and those that are registered when it is switched on are disconnected.',
  examples: [false],
});

const mediaFromAnyAddress = z.boolean().meta({
  description:
    'Whether the audio of phones without encryption may come from another address than their SIP messages, as with a telephone system that has a separate media server. Otherwise a call with such audio is ended.',
  examples: [false],
});

const usersSee = z.enum(callViews).meta({
  description:
    'Whose calls and recordings USERs see: their `own`, or `all`. Users with permissions of their own are not affected. Accounts created before permissions existed start with `all`.',
  examples: ['own'],
});

const secondFactorRequired = z.boolean().meta({
  description:
    'Whether ADMINs must have a second factor. One without can then log in to the console only, to set one up; `GET /accounts/second-factor` shows whose API logins stop. Tokens keep working.',
  examples: [false],
});

const account = z.object({
  uuid: z.uuid(),
  domain: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  mode: z
    .enum(['test', 'live'])
    .meta({ description: 'A test account uses test credit only; the operator switches the mode.' }),
  timezone: z.string(),
  balanceLowThreshold: z.number(),
  requestHandling,
  encryptedPhonesOnly,
  mediaFromAnyAddress,
  usersSee,
  secondFactorRequired,
  liveRequestedAt: timestampText.nullable().meta({
    description: 'When an ADMIN asked for live mode; null if no request waits for the operator.',
    examples: [null],
  }),
  createdAt: timestampText,
  updatedAt: timestampText,
});

nameSchemas({ Account: account });

const present = (shown: Account): z.output<typeof account> => ({
  uuid: shown.uuid,
  domain: shown.domain,
  name: shown.name,
  email: shown.email,
  phone: shown.phone,
  mode: shown.mode,
  timezone: shown.timezone,
  balanceLowThreshold: reaisFromMicros(shown.balanceLowThresholdMicros),
  requestHandling: shown.requestHandling,
  encryptedPhonesOnly: shown.encryptedPhonesOnly,
  mediaFromAnyAddress: shown.mediaFromAnyAddress,
  usersSee: shown.usersSee,
  secondFactorRequired: shown.secondFactorRequired,
  liveRequestedAt: shown.liveRequestedAt?.toISOString() ?? null,
  createdAt: shown.createdAt.toISOString(),
  updatedAt: shown.updatedAt.toISOString(),
});

export const accountRoutes =
  (deps: AccountRouteDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/accounts/signup',
      {
        config: {
          access: 'PUBLIC',
          otherFaults: ({ body }) => duplicatesOf(deps, checkableFrom(body, deps.signupRules)),
        },
        schema: {
          tags,
          operationId: 'signUp',
          summary: 'Sign up',
          description:
            'Creates an account and its first user, an ADMIN with `name` or else the name of the organization, and e-mails a confirmation link that is valid for 48 hours. The user can log in once the link has been opened; unconfirmed sign-ups are deleted after 7 days. The domain is lower-cased. E-mails are in English if `Accept-Language` prefers it, else in Portuguese. A refused duplicate counts towards the hourly limit, and the owner of a duplicate e-mail is notified at most once per day.',
          'x-clauses': [
            'SIGNUP-07',
            'SIGNUP-08',
            'SIGNUP-11',
            'SIGNUP-12',
            'SIGNUP-14',
            'SIGNUP-15',
            'SIGNUP-16',
            'SIGNUP-18',
            'SIGNUP-20',
            'SIGNUP-21',
            'SIGNUP-31',
            'USER-23',
          ],
          body: signupBody(deps.signupRules),
          response: {
            201: z.object({ status: z.literal(201), message: z.string() }).meta({ id: 'SignupAccepted' }),
          },
        },
      },
      async (request, reply) => {
        const { organization_name: organizationName, user_quantity: userQuantity, ...rest } = request.body;
        const locale = /^en\b/i.test(request.headers['accept-language'] ?? '') ? 'en' : 'pt-BR';
        await signUp(deps, { ...rest, organizationName, userQuantity, locale }, request.origin);
        return reply.code(201).send({
          status: 201,
          message: 'The account was created. Open the link in the e-mail we sent you to activate it.',
        });
      },
    );

    app.get(
      '/accounts/signup',
      {
        config: { access: 'PUBLIC' },
        schema: {
          tags,
          operationId: 'getSignupOptions',
          summary: 'Sign-up options',
          description:
            'For forms: the domain suffix, the choices for `crm` and `user_quantity`, and the address of the terms of use, or null.',
          'x-clauses': ['SIGNUP-19', 'SIGNUP-32'],
          response: {
            200: z
              .object({
                domainSuffix: z.string(),
                crmNames: z.array(z.string()),
                userQuantities: z.array(z.string()),
                termsUrl: z.string().nullable(),
              })
              .meta({ id: 'SignupOptions' }),
          },
        },
      },
      async () => ({ ...deps.signupRules, userQuantities: [...userQuantities] }),
    );

    app.post(
      '/accounts/signup/resend',
      {
        config: { access: 'PUBLIC' },
        schema: {
          tags,
          operationId: 'resendConfirmation',
          summary: 'Resend the confirmation link',
          description:
            'Always 204; an e-mail that is not confirmed, or of an ADMIN who can prove the address of the account with it, receives a new link, at most 5 per hour.',
          'x-clauses': ['AUTH-03', 'SIGNUP-13', 'SIGNUP-23', 'SIGNUP-24', 'SIGNUP-26'],
          body: requestBody({ email: existingEmailText }).meta({ id: 'ConfirmationRequest' }),
          response: { 204: nothing },
        },
      },
      async (request) => await resendConfirmation(deps, request.body.email),
    );

    app.get(
      '/accounts/confirm',
      {
        config: { access: 'PUBLIC' },
        schema: {
          tags,
          operationId: 'confirmEmail',
          summary: 'Confirm an e-mail address',
          description:
            'The e-mailed link. Verifies the address, activates a new account, and redirects to the console with the query parameter `confirmation`: `confirmed`, `expired` or `invalid`. It may be opened any number of times. Because mail scanners open links, the address counts as proved only after a login on that page, which sends the parameter `proof` to `POST /console/session`. Only an ADMIN whose e-mail is that of the account gets it.',
          'x-clauses': ['SIGNUP-12', 'SIGNUP-17', 'SIGNUP-22', 'SIGNUP-24'],
          querystring: z.strictObject({
            token: z
              .string()
              .min(1)
              .max(1000)
              .meta({ description: 'The token from the e-mailed link.', 'x-refers-to': 'confirm-token' }),
          }),
          response: { 302: nothing.meta({ description: 'To the console.' }) },
        },
      },
      async (request, reply) => {
        const { outcome, proof } = await confirmEmail(deps, request.query.token, request.origin);
        const proved = proof === undefined ? '' : `proof=${proof}&`;
        return reply.redirect(`${deps.consoleUrl}/login?${proved}confirmation=${outcome}`, 302);
      },
    );

    app.get(
      '/accounts',
      {
        config: { access: forUsers('account') },
        schema: {
          tags,
          operationId: 'getAccount',
          summary: 'Read the account',
          'x-clauses': ['ACCT-04'],
          response: { 200: account },
        },
      },
      async (request) => present(await getAccount(deps, callerOf(request))),
    );

    app.patch(
      '/accounts',
      {
        config: { access: afterConsoleProof(forAdmins('account'), ['secondFactorRequired']) },
        schema: {
          tags,
          operationId: 'updateAccount',
          summary: 'Update the account',
          description:
            'An unknown time zone returns 422. `requestHandling` is for clients that were written for another service; it does not apply to requests of the console.',
          'x-clauses': ['ACCT-04', 'AUTH-15', 'COMPAT-02', 'EXT-26', 'EXT-29', 'PERM-02', 'FACTOR-10'],
          body: requestBody(
            {
              name: nameText.optional(),
              email: emailText.optional(),
              phone: phoneText.optional(),
              timezone: timezone.optional(),
              balanceLowThreshold: reais.optional(),
              requestHandling: requestHandling.optional(),
              encryptedPhonesOnly: encryptedPhonesOnly.optional(),
              mediaFromAnyAddress: mediaFromAnyAddress.optional(),
              usersSee: usersSee.optional(),
              secondFactorRequired: secondFactorRequired.optional(),
            },
            ['uuid', 'domain', 'mode', 'liveRequestedAt', 'createdAt', 'updatedAt'],
          ).meta({ id: 'AccountChange' }),
          response: { 200: account },
        },
      },
      async (request) => {
        const { balanceLowThreshold, ...change } = request.body;
        const balanceLowThresholdMicros =
          balanceLowThreshold === undefined ? undefined : microsFromReais(balanceLowThreshold);
        return present(
          await updateAccount(deps, callerOf(request), { ...change, balanceLowThresholdMicros }),
        );
      },
    );

    app.post(
      '/accounts/live-request',
      {
        config: { access: forAdmins('account') },
        schema: {
          tags,
          operationId: 'requestLiveMode',
          summary: 'Ask for live mode',
          description:
            'Asks the operator to switch a test account to live mode. Asking again changes nothing. `liveRequestedAt` of the account is null again once the operator has switched the mode.',
          'x-clauses': ['ACCT-10'],
          response: { 200: account, 409: refused('`ALREADY_LIVE`: the account is in live mode.') },
        },
      },
      async (request) => present(await requestLive(deps, callerOf(request))),
    );
  };
