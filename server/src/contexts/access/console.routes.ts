import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { existingEmailText, nothing, refused, requestBody } from '../../platform/schemas.ts';
import { consoleLogin, cookieToken, endedCookie, sessionCookie } from './console-session.rules.ts';
import { type LogInDeps, logIn } from './login.ts';
import { logOut } from './revoke-token.ts';
import { givenPassword } from './token.schemas.ts';
import { hashToken } from './token.ts';

const tags = ['Console'];
const path = '/console/session';

/** An ordinary login whose token is set as a cookie instead of being returned. */
export const consoleRoutes =
  (deps: LogInDeps): FastifyPluginAsyncZod =>
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
            'Like `POST /users/login`, with the same errors and rate limit, but the token is set as the cookie `__Host-disca`, which scripts cannot read. It is an ordinary token named `Console` that lasts 14 days; a user has at most 10 of them, and a new one replaces the least recently used one without an open phone session. The token of the cookie that the request was sent with is revoked. `GET /users/me/context` returns the logged-in user.',
          'x-clauses': ['AUTH-17', 'AUTH-18', 'TOKEN-12'],
          body: requestBody({ email: existingEmailText, password: givenPassword }).meta({
            id: 'ConsoleLogin',
          }),
          response: {
            204: nothing,
            401: refused('`LOGIN_FAILED` or `LOGIN_FAILED_EMAIL_NOT_VERIFIED`.'),
          },
        },
      },
      async (request, reply) => {
        const { id } = await logIn(deps, { ...request.body, ...consoleLogin }, request.origin);
        // The token of the replaced cookie is no longer used, so it is revoked.
        const former = cookieToken(request.headers);
        if (former && request.caller?.tokenHash.equals(hashToken(former))) await logOut(deps, request.caller);
        reply.header('Set-Cookie', sessionCookie(id));
      },
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
