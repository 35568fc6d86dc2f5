import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../platform/caller.ts';
import type { Database } from '../../platform/db/database.ts';
import { callViews, recordingViews } from '../../platform/permissions.ts';
import { nameSchemas } from '../../platform/schema-names.ts';
import { pathUuid, requestBody, validField } from '../../platform/schemas.ts';
import { afterConsoleProof, forAdmins } from '../../platform/scopes.ts';
import type { Clock } from '../../platform/time.ts';
import { faultsOfPermissions } from './permission.rules.ts';
import { getPermissions, setPermissions } from './set-permissions.ts';

const tags = ['Users'];

const calls = z.enum(callViews).meta({
  description:
    'Whose calls the user sees in lists, searches, exports, summaries and single calls. A call is the user’s own if an extension of the user made it or received it from outside, or the user requested it.',
  examples: ['all'],
});
const recordings = z.enum(recordingViews).meta({
  description: 'Which of these calls have links to their recordings. `all` needs `calls` `all`.',
  examples: ['own'],
});
const supervision = z.boolean().meta({
  description:
    'Whether the user follows the events of all calls, may end them and write notes about them. Needs `calls` `all`.',
  examples: [false],
});

const shape = {
  calls,
  recordings,
  money: z.boolean().meta({
    description: 'Whether the user sees balance and statement, and uses charges and billing details.',
    examples: [false],
  }),
  webhooks: z.boolean().meta({
    description: 'Whether the user has integrations. Without it, those of the user receive no events.',
    examples: [true],
  }),
  supervision,
};

const permissions = z.object({
  ...shape,
  isDecided: z.boolean().meta({
    description:
      'Whether an ADMIN has set the permissions. Otherwise `calls` and `recordings` follow `usersSee` of the account.',
  }),
});

nameSchemas({ Permissions: permissions });

const params = z.object({ uuid: pathUuid('The user.', 'user') });

export const permissionRoutes =
  (deps: { db: Database; clock: Clock }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/users/:uuid/permissions',
      {
        config: { access: forAdmins('users') },
        schema: {
          tags,
          operationId: 'getPermissions',
          summary: 'Read the permissions of a user',
          description: 'They apply while the user has the role USER. An ADMIN may do everything.',
          'x-clauses': ['PERM-01'],
          params,
          response: { 200: permissions },
        },
      },
      async (request) => await getPermissions(deps, callerOf(request), request.params.uuid),
    );

    app.put(
      '/users/:uuid/permissions',
      {
        config: {
          access: afterConsoleProof(forAdmins('users')),
          otherFaults: ({ body }) =>
            faultsOfPermissions({
              calls: validField(body, 'calls', calls),
              recordings: validField(body, 'recordings', recordings),
              supervision: validField(body, 'supervision', supervision),
            }),
        },
        schema: {
          tags,
          operationId: 'setPermissions',
          summary: 'Set the permissions of a user',
          description:
            'Sets all of them. They apply from the next request of the user; an open event stream follows within 15 seconds.',
          'x-clauses': ['PERM-01', 'PERM-02', 'PERM-03', 'PERM-10', 'FACTOR-16'],
          params,
          body: requestBody(shape, ['isDecided']).meta({ id: 'NewPermissions' }),
          response: { 200: permissions },
        },
      },
      async (request) => await setPermissions(deps, callerOf(request), request.params.uuid, request.body),
    );
  };
