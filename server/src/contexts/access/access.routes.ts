import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../platform/caller.ts';
import {
  emptyBody,
  existingEmailText,
  nothing,
  passwordText,
  refused,
  requestBody,
} from '../../platform/schemas.ts';
import { afterConsoleProof, duringSetUp, forUsers } from '../../platform/scopes.ts';
import { type ChangePasswordDeps, changePassword } from './change-password.ts';
import { type ConsoleDeps, consoleRoutes } from './console.routes.ts';
import { factorRoutes } from './factors/factor.routes.ts';
import { otp } from './factors/factor.schemas.ts';
import { logIn, loginRefusals, ssoRefusal } from './login.ts';
import { type ResetPasswordDeps, requestPasswordReset, resetPassword } from './reset-password.ts';
import { logOut } from './revoke-token.ts';
import { serviceTokenRoutes } from './service-token.routes.ts';
import { sessionRoutes } from './session.routes.ts';
import { tokenRoutes } from './token.routes.ts';
import { givenPassword, issuedToken, ttlSeconds } from './token.schemas.ts';

type AccessRouteDeps = ConsoleDeps & ChangePasswordDeps & ResetPasswordDeps;

const tags = ['Access'];

export const accessRoutes =
  (deps: AccessRouteDeps): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(tokenRoutes(deps));
    await app.register(serviceTokenRoutes(deps));
    await app.register(consoleRoutes(deps));
    await app.register(sessionRoutes(deps));
    await app.register(factorRoutes(deps));

    app.post(
      '/users/login',
      {
        config: { access: 'PUBLIC' },
        schema: {
          tags,
          operationId: 'logIn',
          summary: 'Log in',
          description:
            'Returns a token in `id`. An unknown e-mail and a wrong password both return 401 `LOGIN_FAILED`; the correct password of an unconfirmed e-mail returns 401 `LOGIN_FAILED_EMAIL_NOT_VERIFIED`. After 5 failures for one e-mail, further attempts are refused with 429 for a time that starts at 1 s and doubles up to 15 min; from addresses that logged in before, only after 20. A user with a second factor sends a code of the app or a recovery code in `otp`; without it the response is 401 `SECOND_FACTOR_REQUIRED`, with a wrong one 401 `SECOND_FACTOR_FAILED`. A user has at most 50 live tokens; a login never fails because of that limit: the least recently used token of an earlier login is revoked, never one that was created with `POST /users/accessTokens` and never one with an open phone session.',
          'x-clauses': [
            'AUTH-07',
            'AUTH-08',
            'AUTH-09',
            'AUTH-10',
            'AUTH-19',
            'AUTH-24',
            'AUTH-20',
            'FACTOR-01',
            'FACTOR-02',
            'FACTOR-04',
            'FACTOR-05',
            'FACTOR-11',
            'SIGNUP-11',
            'SSO-09',
            'TOKEN-12',
            'USER-19',
          ],
          body: requestBody({
            email: existingEmailText,
            password: givenPassword,
            otp: otp.optional(),
            ttl: ttlSeconds,
          }).meta({ id: 'Login' }),
          response: {
            200: issuedToken
              .extend({ userId: z.uuid().meta({ description: "The user's uuid." }) })
              .meta({ id: 'LoginToken' }),
            401: refused(loginRefusals),
            403: refused(
              `\`SECOND_FACTOR_SETUP_REQUIRED\`: the account requires a second factor of ADMINs, and the user has none. ${ssoRefusal}`,
            ),
          },
        },
      },
      async (request) => {
        const { created, ...token } = await logIn(deps, request.body, request.origin);
        return { ...token, created: created.toISOString() };
      },
    );

    app.post(
      '/users/logout',
      {
        config: { access: duringSetUp(forUsers('any')) },
        schema: {
          tags,
          operationId: 'logOut',
          summary: 'Log out',
          description: 'Revokes only the token of the request.',
          'x-clauses': ['AUTH-11'],
          body: emptyBody,
          response: { 204: nothing },
        },
      },
      async (request) => await logOut(deps, callerOf(request)),
    );

    app.post(
      '/users/reset',
      {
        config: { access: 'PUBLIC' },
        schema: {
          tags,
          operationId: 'requestPasswordReset',
          summary: 'Request a password reset',
          description:
            'Always 204. A known and verified e-mail receives a link whose token is valid for one change within an hour. An address receives at most 5 such e-mails per hour.',
          'x-clauses': ['AUTH-03', 'AUTH-12', 'USER-21'],
          body: requestBody({ email: existingEmailText }).meta({ id: 'PasswordResetRequest' }),
          response: { 204: nothing },
        },
      },
      async (request) => await requestPasswordReset(deps, request.body.email),
    );

    app.post(
      '/users/reset-password',
      {
        config: { access: 'PUBLIC' },
        schema: {
          tags,
          operationId: 'resetPassword',
          summary: 'Set a new password',
          description: "Revokes all of the user's tokens. An expired or used token returns 422.",
          'x-clauses': ['AUTH-12', 'AUTH-13', 'USER-23'],
          body: requestBody({
            token: z
              .string()
              .min(1)
              .max(1000)
              .meta({ description: 'The token from the e-mailed link.', 'x-refers-to': 'reset-token' }),
            password: passwordText,
          }).meta({ id: 'PasswordReset' }),
          response: { 204: nothing },
        },
      },
      async (request) => await resetPassword(deps, request.body, request.origin),
    );

    app.post(
      '/users/change-password',
      {
        config: { access: afterConsoleProof(forUsers('full')) },
        schema: {
          tags,
          operationId: 'changePassword',
          summary: 'Change your password',
          description:
            'A wrong `oldPassword` returns 422, and repeated failures are held off as on login. All other tokens of the user are revoked.',
          'x-clauses': ['AUTH-13', 'FACTOR-15', 'USER-18', 'USER-23'],
          body: requestBody({ oldPassword: givenPassword, newPassword: passwordText }).meta({
            id: 'PasswordChange',
          }),
          response: { 204: nothing },
        },
      },
      async (request) => await changePassword(deps, callerOf(request), request.body),
    );
  };
