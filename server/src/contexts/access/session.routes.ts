import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../platform/caller.ts';
import type { Database } from '../../platform/db/database.ts';
import { nameSchemas } from '../../platform/schema-names.ts';
import { nothing, timestampText } from '../../platform/schemas.ts';
import { forPersons } from '../../platform/scopes.ts';
import type { Clock } from '../../platform/time.ts';
import { endOtherSessions, endSession, listSessions } from './sessions.ts';

const tags = ['Access'];
const path = '/users/me/sessions';

const session = z.object({
  prefix: z.string().length(8).meta({ description: 'The first 8 characters of its token.' }),
  isCurrent: z.boolean().meta({ description: 'Whether the request was sent with it.' }),
  address: z
    .string()
    .nullable()
    .meta({ description: 'The address from which it was opened; null if it is older than release 0.10.' }),
  userAgent: z.string().nullable().meta({ description: 'The browser that opened it.' }),
  isSso: z.boolean().meta({ description: 'Whether it was opened with single sign-on.' }),
  openedAt: timestampText,
  lastUsedAt: timestampText.nullable().meta({ description: 'Last use, to the minute; null if never used.' }),
  expiresAt: timestampText.meta({ description: 'When it ends, if it is not used again.' }),
});

nameSchemas({ ConsoleSession: session });

export const sessionRoutes =
  (deps: { db: Database; clock: Clock }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      path,
      {
        config: { access: forPersons('full') },
        schema: {
          tags,
          operationId: 'listSessions',
          summary: 'List your console sessions',
          description: 'The last used session first. A user has few sessions, so the list has no pages.',
          'x-clauses': ['AUTH-21', 'AUTH-22'],
          response: { 200: z.array(session) },
        },
      },
      async (request) => await listSessions(deps, callerOf(request)),
    );

    app.delete(
      path,
      {
        config: { access: forPersons('full') },
        schema: {
          tags,
          operationId: 'endOtherSessions',
          summary: 'End your other console sessions',
          description: 'Ends all console sessions except that of the request.',
          'x-clauses': ['AUTH-23'],
          response: { 204: nothing },
        },
      },
      async (request) => await endOtherSessions(deps, callerOf(request)),
    );

    app.delete(
      `${path}/:prefix`,
      {
        config: { access: forPersons('full') },
        schema: {
          tags,
          operationId: 'endSession',
          summary: 'End one of your console sessions',
          description: 'Ends the session with that prefix; an unknown prefix returns 404.',
          'x-clauses': ['AUTH-23'],
          params: z.object({
            prefix: z.string().meta({
              description: 'The first 8 characters of the token of the session.',
              'x-refers-to': 'session',
              examples: ['dsk_Ab3d'],
            }),
          }),
          response: { 204: nothing },
        },
      },
      async (request) => await endSession(deps, callerOf(request), request.params.prefix),
    );
  };
