import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../platform/caller.ts';
import type { Database } from '../../platform/db/database.ts';
import { pageHeaders, pageOf, pageQuery } from '../../platform/list-schemas.ts';
import { timestampText } from '../../platform/schemas.ts';
import { listAudit } from './list-audit.ts';

export interface AuditRouteDeps {
  db: Database;
}

const values = z.record(z.string(), z.unknown()).nullable();

const entry = z.object({
  id: z.uuid(),
  at: timestampText,
  actorUuid: z.uuid().nullable().meta({ description: 'Who did it.' }),
  actorEmail: z.string().nullable(),
  action: z.string().meta({ description: 'What was done, as `noun.verb`.' }),
  targetType: z.string(),
  targetId: z.string(),
  before: values.meta({ description: 'What changed, as it was; without secrets.' }),
  after: values.meta({ description: 'What changed, as it is; without secrets.' }),
  address: z.string().nullable().meta({ description: 'From where.' }),
  requestId: z.string().nullable(),
});

export const auditRoutes =
  (deps: AuditRouteDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/audit',
      {
        config: { access: 'ADMIN' },
        schema: {
          tags: ['Audit'],
          summary: 'List the changes of the account',
          description:
            'Every change by a person or token, newest first. Besides numbered pages, `Link` with `rel="next"` carries an opaque `cursor` that walks any depth at the same speed.',
          'x-clauses': ['ACCT-06'],
          querystring: pageQuery,
          response: { 200: pageOf(entry) },
        },
      },
      async (request, reply) => {
        const found = await listAudit(deps, callerOf(request).accountId, request.query);
        reply.headers(pageHeaders(request.url, found));
        return reply.send({ data: found.data, meta: found.meta });
      },
    );
  };
