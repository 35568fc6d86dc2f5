import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { emptyBody, existingEmailText, nothing, refused, requestBody } from '../../platform/schemas.ts';
import { consoleLogin, endedCookie, sessionCookie } from './console-session.rules.ts';
import { deviceOf } from './device.ts';
import { otp, passkeyAnswer, passkeyRequest } from './factors/factor.schemas.ts';
import { askForPasskey, type PasskeyAnswer } from './factors/passkeys.ts';
import { type LogInDeps, logIn, loginRefusals, ssoRefusal } from './login.ts';
import { replaceSession } from './replace-session.ts';
import { logOut } from './revoke-token.ts';
import { givenPassword } from './token.schemas.ts';

const tags = ['Console'];
const path = '/console/session';

export interface ConsoleDeps extends LogInDeps {
  /** A session ends when it was not used for this long. */
  consoleIdleSeconds: number;
}

const addressProof = z
  .string()
  .max(1000)
  .meta({
    description:
      'The query parameter `proof` of the page that the confirmation link opened. With it the login proves the address; an invalid one is ignored.',
    examples: ['k1.c2lnbmVkLXByb29m'],
  });

/** An ordinary login whose token is set as a cookie instead of being returned. */
export const consoleRoutes =
  (deps: ConsoleDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      path,
      {
        config: { access: 'PUBLIC' },
        schema: {
          tags,
          operationId: 'openConsoleSession',
          summary: 'Log in to the console',
          description:
            'Like `POST /users/login`, with the same errors and rate limit, but the token is set as the cookie `__Host-disca`, which scripts cannot read. It is an ordinary token named `Console` that ends when it was not used for 14 days, or as long as the operator has set, and after 90 days; a user has at most 10 of them, and a new one replaces the least recently used one without an open phone session. A user with a second factor sends `otp` or `passkey`; the details of 401 `SECOND_FACTOR_REQUIRED` say which of them. The token of the cookie that the request was sent with is revoked. `GET /users/me/context` returns the logged-in user.',
          'x-clauses': [
            'AUTH-17',
            'AUTH-18',
            'AUTH-21',
            'FACTOR-01',
            'FACTOR-07',
            'FACTOR-11',
            'SIGNUP-22',
            'SSO-09',
            'TOKEN-12',
          ],
          body: requestBody({
            email: existingEmailText,
            password: givenPassword,
            otp: otp.optional(),
            passkey: passkeyAnswer.optional(),
            addressProof: addressProof.optional(),
          }).meta({ id: 'ConsoleLogin' }),
          response: {
            204: nothing,
            401: refused(loginRefusals),
            403: refused(ssoRefusal),
          },
        },
      },
      async (request, reply) => {
        const { passkey, ...given } = request.body;
        const proof = passkey ? { passkey: passkey as PasskeyAnswer } : {};
        const { id } = await logIn(
          deps,
          { ...given, ...proof, ...consoleLogin(deps.consoleIdleSeconds), device: deviceOf(request.headers) },
          request.origin,
        );
        // The token of the replaced cookie is no longer used, so it is revoked.
        await replaceSession(deps, request);
        reply.header('Set-Cookie', sessionCookie(id));
      },
    );

    app.post(
      `${path}/passkey`,
      {
        config: { access: 'PUBLIC' },
        schema: {
          tags,
          operationId: 'askForPasskey',
          summary: 'Ask for a passkey',
          description:
            'Returns the options of `navigator.credentials.get`, valid for 5 minutes. The same for every user: the browser finds the passkeys.',
          'x-clauses': ['FACTOR-07'],
          body: emptyBody,
          response: { 200: passkeyRequest },
        },
      },
      async () => passkeyRequest.parse(await askForPasskey(deps, deps.clock.now())),
    );

    app.delete(
      path,
      {
        config: { access: 'PUBLIC' },
        schema: {
          tags,
          operationId: 'endConsoleSession',
          summary: 'Log out of the console',
          description: 'Always 204. Revokes the token of the request, if any, and clears the cookie.',
          'x-clauses': ['AUTH-17'],
          response: { 204: nothing },
        },
      },
      async (request, reply) => {
        if (request.caller) await logOut(deps, request.caller);
        reply.header('Set-Cookie', endedCookie);
      },
    );
  };
