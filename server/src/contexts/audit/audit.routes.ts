import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../platform/caller.ts';
import type { Database } from '../../platform/db/database.ts';
import { pageHeaders, pageOf, pageQuery } from '../../platform/list-schemas.ts';
import { timestampText } from '../../platform/schemas.ts';
import { forAdmins } from '../../platform/scopes.ts';
import { listAudit } from './list-audit.ts';

interface AuditRouteDeps {
  db: Database;
}

const values = z.record(z.string(), z.unknown()).nullable();

const entry = z.object({
  id: z.uuid(),
  at: timestampText,
  actorUuid: z
    .uuid()
    .nullable()
    .meta({ description: 'The user or service token that made the change; null for the operator.' }),
  actorEmail: z
    .string()
    .nullable()
    .meta({ description: 'E-mail of the user, or `service token` and the name of the token.' }),
  action: z.string().meta({ description: 'The action, as `noun.verb`.' }),
  targetType: z.string(),
  targetId: z.string(),
  before: values.meta({ description: 'Changed fields before the change; without secrets.' }),
  after: values.meta({ description: 'Changed fields after the change; without secrets.' }),
  address: z.string().nullable().meta({ description: 'IP address of the request.' }),
  requestId: z.string().nullable(),
});

export const auditRoutes =
  (deps: AuditRouteDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/audit',
      {
        config: { access: forAdmins('account') },
        schema: {
          tags: ['Audit'],
          operationId: 'listAuditEntries',
          summary: 'List changes',
          description:
            'Every change by a user or token, newest first. Besides numbered pages, `Link` with `rel="next"` carries an opaque `cursor`, equally fast at any depth.',
          'x-clauses': ['ACCT-06'],
          querystring: pageQuery,
          response: { 200: pageOf(entry, 'AuditEntry') },
        },
      },
      async (request, reply) => {
        const page = await listAudit(deps, callerOf(request).accountId, request.query);
        return reply.headers(pageHeaders(request.url, page)).send(page);
      },
    );
  };
