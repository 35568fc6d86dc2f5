import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../platform/caller.ts';
import { cursorQuery, pageHeaders, pageOf } from '../../platform/list-schemas.ts';
import { nameSchemas } from '../../platform/schema-names.ts';
import { timestampText } from '../../platform/schemas.ts';
import { forUsers } from '../../platform/scopes.ts';
import { type ListRequestsDeps, listRequests } from './list-requests.ts';
import { maxPerDay, requestRetentionDays } from './request.rules.ts';

const names = z.array(z.string().meta({ examples: ['nome'] })).nullable();

const recordedRequest = z.object({
  id: z.uuid(),
  at: timestampText.meta({ description: 'When the response was sent.' }),
  userUuid: z.uuid().meta({ description: 'The user of the token.' }),
  method: z.string().meta({ examples: ['PATCH'] }),
  route: z
    .string()
    .nullable()
    .meta({
      description: 'The path as in this description, such as `/calls/{id}`; null if no route matched.',
      examples: ['/users'],
    }),
  status: z.int().meta({ examples: [422] }),
  errorCode: z
    .string()
    .nullable()
    .meta({ examples: ['VALIDATION_ERROR'] }),
  invalidFields: names.meta({ description: 'Paths of the faults in the response, without values.' }),
  ignoredFields: names.meta({ description: 'Unknown fields that lenient handling ignored, without values.' }),
  requestId: z.string().meta({
    description: '`X-Request-Id` of the response.',
    examples: ['01a1e2d4-56ff-7843-90ea-6fb8e584e041'],
  }),
  tokenName: z
    .string()
    .nullable()
    .meta({
      description:
        'Name of the token, `Console` for the console; null if it has none or was revoked at once.',
      examples: ['CRM'],
    }),
  address: z.string().meta({ description: 'IP address of the request.', examples: ['192.0.2.10'] }),
  durationMs: z.int().meta({ examples: [12] }),
});

const page = pageOf(recordedRequest, 'RecordedRequest');
const answer = page.extend({
  meta: page.shape.meta.extend({
    unlistedCount: z
      .int()
      .min(0)
      .meta({
        description: `Requests of the account beyond ${maxPerDay.toLocaleString('en')} per UTC day, which are counted but not listed.`,
      }),
  }),
});
nameSchemas({ RequestLogPage: answer });

export const requestRoutes =
  (deps: ListRequestsDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/requests',
      {
        config: { access: forUsers('account') },
        schema: {
          tags: ['Requests'],
          operationId: 'listRequests',
          summary: 'List your requests',
          description: `Refused requests, requests with ignored fields, and all writes of the last ${requestRetentionDays} days, newest first. ADMINs see all requests of the account, USERs their own. Recorded about a second after the response, without bodies, queries and other values. The log never delays a request: while the database is down or slow, records are lost. It is deleted by day after ${requestRetentionDays} days, is part of an account's export and of the erasure of a person, and the operator may switch it off. \`Link\` with \`rel="next"\` carries the \`cursor\` of the next page.`,
          'x-clauses': [
            'REQLOG-01',
            'REQLOG-02',
            'REQLOG-03',
            'REQLOG-04',
            'REQLOG-05',
            'REQLOG-06',
            'REQLOG-07',
            'REQLOG-08',
            'REQLOG-09',
            'REQLOG-10',
          ],
          querystring: cursorQuery,
          response: { 200: answer },
        },
      },
      async (request, reply) => {
        const found = await listRequests(deps, callerOf(request), request.query);
        const headers = pageHeaders(request.url, { isEstimated: false, nextCursor: found.meta.nextCursor });
        return reply.headers(headers).send(found);
      },
    );
  };
