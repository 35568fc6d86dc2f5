import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../../platform/caller.ts';
import { emptyBody, nothing, pathUuid, refused, requestBody } from '../../../platform/schemas.ts';
import { afterProof, duringSetUp, forAdmins, forPersons } from '../../../platform/scopes.ts';
import { addPasskey, addTotp, startPasskey, startTotp } from './add-factor.ts';
import {
  addedFactor,
  adminFactors,
  factorName,
  listedFactors,
  passkeyCreation,
  passkeyRegistration,
  proof,
  totpSetUp,
} from './factor.schemas.ts';
import { readAdminFactors, readOwnFactors } from './list-factors.ts';
import type { PasskeyRegistration } from './passkeys.ts';
import { type ProveIdentityDeps, proveIdentity } from './prove-identity.ts';
import { removeFactor, replaceRecoveryCodes, resetFactors } from './remove-factor.ts';

const tags = ['Access'];
const path = '/users/me/factors';
const own = duringSetUp(forPersons('full'));
const ownProved = afterProof(own);
const proofMissing = '`PROOF_REQUIRED`: send `POST /users/me/proof` first.';

const factorLimit = refused('`FACTOR_LIMIT`: a user has at most 10 factors.');

export const factorRoutes =
  (deps: ProveIdentityDeps): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(addFactorRoutes(deps));
    await app.register(adminFactorRoutes(deps));

    app.post(
      '/users/me/proof',
      {
        config: { access: own },
        schema: {
          tags,
          operationId: 'proveIdentity',
          summary: 'Prove your identity again',
          description:
            'Checks your password and, if you have a second factor, `otp` or `passkey`. For the next 10 minutes the token of the request may change second factors. A login is a proof too. A wrong password returns 422; failures are held off as on login.',
          'x-clauses': ['FACTOR-09', 'FACTOR-12'],
          body: requestBody(proof).meta({ id: 'IdentityProof' }),
          response: {
            204: nothing,
            401: refused('`SECOND_FACTOR_REQUIRED` or `SECOND_FACTOR_FAILED`.'),
            403: refused('`SSO_REQUIRED`: prove it with `POST /console/sso/proof` instead.'),
          },
        },
      },
      async (request) => {
        const { passkey, ...rest } = request.body;
        await proveIdentity(deps, callerOf(request), {
          ...rest,
          ...(passkey ? { passkey } : {}),
        });
      },
    );

    app.get(
      path,
      {
        config: { access: own },
        schema: {
          tags,
          operationId: 'listFactors',
          summary: 'List your second factors',
          'x-clauses': ['FACTOR-08'],
          response: { 200: listedFactors },
        },
      },
      async (request) => {
        const { factors, lastApiLoginAt, ...rest } = await readOwnFactors(deps, callerOf(request));
        return {
          ...rest,
          lastApiLoginAt: lastApiLoginAt?.toISOString() ?? null,
          factors: factors.map(({ createdAt, lastUsedAt, ...factor }) => ({
            ...factor,
            createdAt: createdAt.toISOString(),
            lastUsedAt: lastUsedAt?.toISOString() ?? null,
          })),
        };
      },
    );

    app.delete(
      `${path}/:id`,
      {
        config: { access: ownProved },
        schema: {
          tags,
          operationId: 'removeFactor',
          summary: 'Remove one of your second factors',
          description: 'With the last one, the recovery codes are removed.',
          'x-clauses': ['FACTOR-08', 'FACTOR-09', 'FACTOR-11'],
          params: z.object({ id: pathUuid('The factor to remove.', 'factor') }),
          response: {
            204: nothing,
            403: refused(proofMissing),
            409: refused('`LAST_FACTOR`: the account requires a second factor of you.'),
          },
        },
      },
      async (request) => await removeFactor(deps, callerOf(request), request.params.id),
    );

    app.post(
      `${path}/recovery-codes`,
      {
        config: { access: ownProved },
        schema: {
          tags,
          operationId: 'replaceRecoveryCodes',
          summary: 'Replace your recovery codes',
          description:
            'Returns 10 new codes, only once; none to a user without a factor. The earlier ones no longer work.',
          'x-clauses': ['FACTOR-06', 'FACTOR-09'],
          body: emptyBody,
          response: {
            200: addedFactor,
            403: refused(proofMissing),
          },
        },
      },
      async (request) => ({ recoveryCodes: await replaceRecoveryCodes(deps, callerOf(request)) }),
    );
  };

const addFactorRoutes =
  (deps: ProveIdentityDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      `${path}/totp/start`,
      {
        config: { access: ownProved },
        schema: {
          tags,
          operationId: 'startTotp',
          summary: 'Start to add an app that shows codes',
          description:
            'Returns a secret for the app (TOTP). It is stored once a code of the app was sent back.',
          'x-clauses': ['FACTOR-03', 'FACTOR-09'],
          body: emptyBody,
          response: { 200: totpSetUp, 403: refused(proofMissing) },
        },
      },
      async (request) => startTotp(deps, callerOf(request)),
    );

    app.post(
      `${path}/totp`,
      {
        config: { access: ownProved },
        schema: {
          tags,
          operationId: 'addTotp',
          summary: 'Add an app that shows codes',
          description: 'A wrong `code` returns 422 with the detail code `wrong_code`.',
          'x-clauses': ['FACTOR-03', 'FACTOR-06', 'FACTOR-09'],
          body: requestBody({
            name: factorName,
            setUp: z
              .string()
              .min(1)
              .max(1000)
              .meta({ description: 'From the start.', 'x-refers-to': 'totp-set-up' }),
            code: z
              .string()
              .trim()
              .min(1)
              .max(40)
              .meta({ description: 'A code of the app.', examples: ['123456'], 'x-kind': 'totp-code' }),
          }).meta({ id: 'NewTotp' }),
          response: {
            200: addedFactor,
            403: refused(proofMissing),
            404: refused('The set-up is unknown or older than 15 minutes. Start again.'),
            409: factorLimit,
          },
        },
      },
      async (request) => ({ recoveryCodes: await addTotp(deps, callerOf(request), request.body) }),
    );

    app.post(
      `${path}/passkey/start`,
      {
        config: { access: ownProved },
        schema: {
          tags,
          operationId: 'startPasskey',
          summary: 'Start to add a passkey',
          description: 'Returns the options of `navigator.credentials.create`, valid for 5 minutes.',
          'x-clauses': ['FACTOR-07', 'FACTOR-09'],
          body: emptyBody,
          response: { 200: passkeyCreation, 403: refused(proofMissing) },
        },
      },
      async (request) => passkeyCreation.parse(await startPasskey(deps, callerOf(request))),
    );

    app.post(
      `${path}/passkey`,
      {
        config: { access: ownProved },
        schema: {
          tags,
          operationId: 'addPasskey',
          summary: 'Add a passkey',
          'x-clauses': ['FACTOR-06', 'FACTOR-07', 'FACTOR-09'],
          body: requestBody({ name: factorName, registration: passkeyRegistration }).meta({
            id: 'NewPasskey',
          }),
          response: { 200: addedFactor, 403: refused(proofMissing), 409: factorLimit },
        },
      },
      async (request) => {
        const { name, registration } = request.body;
        const given = { name, registration: registration as PasskeyRegistration };
        return { recoveryCodes: await addPasskey(deps, callerOf(request), given) };
      },
    );
  };

const adminFactorRoutes =
  (deps: ProveIdentityDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.delete(
      '/users/:uuid/factors',
      {
        config: { access: afterProof(forAdmins('full')) },
        schema: {
          tags,
          operationId: 'resetFactors',
          summary: 'Remove the second factors of a user',
          description:
            'For a user who has lost a device and the recovery codes. Ends the logins of the user, who is mailed.',
          'x-clauses': ['FACTOR-09', 'FACTOR-13'],
          params: z.object({ uuid: pathUuid('The user.', 'user') }),
          response: { 204: nothing, 403: refused(proofMissing) },
        },
      },
      async (request) => {
        const caller = callerOf(request);
        const by = { actor: caller, origin: caller.origin };
        await resetFactors(deps, caller.accountId, request.params.uuid, by);
      },
    );

    app.get(
      '/accounts/second-factor',
      {
        config: { access: forAdmins('account') },
        schema: {
          tags: ['Accounts'],
          operationId: 'getAdminFactors',
          summary: 'Read which ADMINs have a second factor',
          description:
            'Shows whose API logins would stop if `secondFactorRequired` were switched on with `PATCH /accounts`.',
          'x-clauses': ['FACTOR-10'],
          response: { 200: adminFactors },
        },
      },
      async (request) => {
        const { isRequired, admins } = await readAdminFactors(deps, callerOf(request));
        return {
          isRequired,
          admins: admins.map(({ lastApiLoginAt, ...admin }) => ({
            ...admin,
            lastApiLoginAt: lastApiLoginAt?.toISOString() ?? null,
          })),
        };
      },
    );
  };
