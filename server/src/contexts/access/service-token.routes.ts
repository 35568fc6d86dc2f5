import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../platform/caller.ts';
import { arrayOf, arrayQuery } from '../../platform/list-schemas.ts';
import { nothing, refused, requestBody } from '../../platform/schemas.ts';
import { afterConsoleProof, forAdmins } from '../../platform/scopes.ts';
import { createServiceToken } from './create-service-token.ts';
import type { IssueTokenDeps } from './issue-token.ts';
import { listServiceTokens } from './list-tokens.ts';
import { revokeServiceToken } from './revoke-token.ts';
import {
  allowedAddresses,
  issuedToken,
  listedServiceToken,
  tokenName,
  tokenScopes,
  ttlSeconds,
} from './token.schemas.ts';

const tags = ['Access'];
const path = '/accounts/accessTokens';

/** Tokens that belong to the account instead of a user. */
export const serviceTokenRoutes =
  (deps: IssueTokenDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      path,
      {
        config: { access: afterConsoleProof(forAdmins('full')) },
        schema: {
          tags,
          operationId: 'createServiceToken',
          summary: 'Create a service token',
          description:
            'A service token belongs to the account, not to a user: it stays when the user who created it is removed, loses the role or changes the password. It acts as ADMIN within its scopes and counts as one user for rate limits. Routes that concern a user, such as integrations and phone sessions, refuse it with 403 `ACCESS_DENIED`. In the audit log, its changes have the author `service token NAME`. Calls that it places belong to the owner of the extension, and `requested_by` is null; `userId` of its charges is its own number. It is returned only once.',
          'x-clauses': ['TOKEN-15', 'TOKEN-21', 'TOKEN-25', 'TOKEN-22', 'TOKEN-23'],
          body: requestBody(
            {
              name: tokenName,
              scopes: tokenScopes,
              ttl: ttlSeconds,
              allowedAddresses: allowedAddresses.optional(),
            },
            ['id', 'created'],
          ).meta({ id: 'NewServiceToken' }),
          response: {
            200: issuedToken,
            409: refused('`ACCOUNT_LIMIT`: the account has as many tokens as it may have.'),
          },
        },
      },
      async (request) => {
        const { created, ...token } = await createServiceToken(deps, callerOf(request), request.body);
        return { ...token, created: created.toISOString() };
      },
    );

    app.get(
      path,
      {
        config: { access: forAdmins('full') },
        schema: {
          tags,
          operationId: 'listServiceTokens',
          summary: 'List service tokens',
          description: 'Lists the service tokens of the account, never the tokens themselves.',
          'x-clauses': ['TOKEN-21'],
          querystring: arrayQuery,
          response: { 200: arrayOf(listedServiceToken, 'ServiceTokenRecord') },
        },
      },
      async (request, reply) => {
        const tokens = await listServiceTokens(deps, callerOf(request), request.query);
        return reply.header('X-Total-Count', tokens.total).send(tokens.items);
      },
    );

    app.delete(
      `${path}/:prefix`,
      {
        config: { access: afterConsoleProof(forAdmins('full')) },
        schema: {
          tags,
          operationId: 'revokeServiceToken',
          summary: 'Revoke a service token',
          description: 'Revokes the service token with that prefix; an unknown prefix returns 404.',
          'x-clauses': ['TOKEN-21'],
          params: z.object({
            prefix: z.string().meta({
              description: 'The first 8 characters of the service token.',
              'x-refers-to': 'service-token',
              examples: ['dsk_Ab3d'],
            }),
          }),
          response: { 204: nothing },
        },
      },
      async (request) => await revokeServiceToken(deps, callerOf(request), request.params.prefix),
    );
  };
