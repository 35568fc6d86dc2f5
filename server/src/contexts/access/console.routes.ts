import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf, roles } from '../../platform/caller.ts';
import {
  knownEmailText,
  localeText,
  noQuery,
  nothing,
  refused,
  requestBody,
} from '../../platform/schemas.ts';
import { endedCookie, sessionCookie } from './console-session.rules.ts';
import {
  type ConsoleSession,
  type ConsoleSessionDeps,
  openConsoleSession,
  readConsoleSession,
} from './console-session.ts';
import { logOut } from './revoke-token.ts';
import { givenPassword } from './token.schemas.ts';

const tags = ['Console'];
const path = '/console/session';

const session = z.object({
  user: z.object({
    uuid: z.uuid(),
    name: z.string(),
    email: z.string(),
    phone: z.string(),
    role: z.enum(roles),
    locale: localeText,
    emailVerified: z.boolean(),
  }),
  account: z.object({
    uuid: z.uuid(),
    name: z.string(),
    domain: z.string(),
    mode: z.enum(['test', 'live']),
    timezone: z.string(),
  }),
});

const present = ({ user, account }: ConsoleSession): z.output<typeof session> =>
  session.parse({ user, account });

export const consoleRoutes =
  (deps: ConsoleSessionDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      path,
      {
        config: { access: 'PUBLIC' },
        schema: {
          tags,
          summary: 'Log in to the console',
          description:
            'Like `POST /users/login`, with the same refusals and the same limit, but the token comes as the cookie `__Host-disca`, which scripts cannot read. It is an ordinary token with the name `Console` and lasts 14 days; a user has at most 10 of them, of which the oldest makes room.',
          querystring: noQuery,
          body: requestBody({ email: knownEmailText, password: givenPassword }),
          response: {
            200: session,
            401: refused('`LOGIN_FAILED` or `LOGIN_FAILED_EMAIL_NOT_VERIFIED`.'),
            409: refused('`TOKEN_LIMIT`: the user has 50 live tokens.'),
          },
        },
      },
      async (request, reply) => {
        const opened = await openConsoleSession(deps, request.body, request.origin);
        return reply.header('Set-Cookie', sessionCookie(opened.token)).send(present(opened.session));
      },
    );

    app.get(
      path,
      {
        config: { access: 'USER' },
        schema: {
          tags,
          summary: 'Who is logged in, and for which account',
          querystring: noQuery,
          response: { 200: session },
        },
      },
      async (request) => present(await readConsoleSession(deps, callerOf(request))),
    );

    app.delete(
      path,
      {
        config: { access: 'PUBLIC' },
        schema: {
          tags,
          summary: 'Log out of the console',
          description: 'Always 204: revokes the token it comes with, if there is one, and ends the cookie.',
          querystring: noQuery,
          response: { 204: nothing },
        },
      },
      async (request, reply) => {
        if (request.caller) await logOut(deps, request.caller);
        return reply.header('Set-Cookie', endedCookie).code(204).send();
      },
    );
  };
