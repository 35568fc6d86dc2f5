import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../platform/caller.ts';
import { arrayOf, arrayQuery } from '../../platform/list-schemas.ts';
import { nothing, refused, requestBody } from '../../platform/schemas.ts';
import { afterConsoleProof, forPersons } from '../../platform/scopes.ts';
import { type IssueTokenDeps, issueToken } from './issue-token.ts';
import { listTokens } from './list-tokens.ts';
import { revokeToken } from './revoke-token.ts';
import {
  allowedAddresses,
  issuedToken,
  listedToken,
  tokenName,
  tokenScopes,
  ttlSeconds,
} from './token.schemas.ts';

const tags = ['Access'];
const path = '/users/accessTokens';

export const tokenRoutes =
  (deps: IssueTokenDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      path,
      {
        config: { access: afterConsoleProof(forPersons('full')) },
        schema: {
          tags,
          operationId: 'createToken',
          summary: 'Create a token',
          description:
            'The token acts for the caller. It is returned only once; we store its hash. A user has at most 50 live tokens, of which at most 45 are created here: the 46th returns 409 `TOKEN_LIMIT`. To make room, the least recently used login may be revoked; created tokens are never revoked. With `scopes`, the token may be used only for these; with `allowedAddresses`, only from these. Both can be seen in the list and cannot be changed.',
          'x-clauses': [
            'TOKEN-06',
            'TOKEN-07',
            'TOKEN-11',
            'TOKEN-12',
            'TOKEN-14',
            'TOKEN-15',
            'TOKEN-16',
            'TOKEN-18',
            'TOKEN-25',
            'TOKEN-26',
            'TOKEN-27',
            'AUTH-04',
            'AUTH-05',
          ],
          body: requestBody(
            {
              ttl: ttlSeconds,
              name: tokenName.optional(),
              scopes: tokenScopes.optional(),
              allowedAddresses: allowedAddresses.optional(),
            },
            ['id', 'created'],
          )
            .meta({ id: 'NewToken' })
            .prefault({}),
          response: {
            200: issuedToken,
            409: refused(
              '`TOKEN_LIMIT`: the user has 45 live tokens besides logins; `ACCOUNT_LIMIT`: the account has as many as it may have.',
            ),
          },
        },
      },
      async (request) => {
        const { created, ...token } = await issueToken(deps, callerOf(request), request.body);
        return { ...token, created: created.toISOString() };
      },
    );

    app.head(
      path,
      {
        config: { access: 'PUBLIC', swagger: { exposeHeadRoute: true } },
        schema: {
          tags,
          operationId: 'checkToken',
          summary: 'Check a token',
          description:
            '200 if the token in `Authorization` is valid, 404 if it is missing, unknown, expired, revoked or not allowed from this address. No body.',
          'x-clauses': ['TOKEN-08'],
          security: [{ token: [] }, { accessToken: [] }, { console: [] }],
          response: { 200: nothing, 404: nothing },
        },
      },
      async (request, reply) => reply.code(request.caller ? 200 : 404).send(),
    );

    app.get(
      path,
      {
        config: { access: forPersons('full') },
        schema: {
          tags,
          operationId: 'listTokens',
          summary: 'List your tokens',
          description:
            'Lists the prefix, name, dates, scopes and allowed addresses of tokens, never the tokens themselves.',
          'x-clauses': ['TOKEN-09', 'TOKEN-20'],
          querystring: arrayQuery,
          response: { 200: arrayOf(listedToken, 'TokenRecord') },
        },
      },
      async (request, reply) => {
        const tokens = await listTokens(deps, callerOf(request), request.query);
        return reply.header('X-Total-Count', tokens.total).send(tokens.items);
      },
    );

    app.delete(
      `${path}/:prefix`,
      {
        config: { access: afterConsoleProof(forPersons('full')) },
        schema: {
          tags,
          operationId: 'revokeToken',
          summary: 'Revoke one of your tokens',
          description: 'Revokes the token with that prefix; an unknown prefix returns 404.',
          'x-clauses': ['TOKEN-10', 'TOKEN-13'],
          params: z.object({
            prefix: z.string().meta({
              description: 'The first 8 characters of the token.',
              'x-refers-to': 'token',
              examples: ['dsk_Ab3d'],
            }),
          }),
          response: { 204: nothing },
        },
      },
      async (request) => await revokeToken(deps, callerOf(request), request.params.prefix),
    );
  };
