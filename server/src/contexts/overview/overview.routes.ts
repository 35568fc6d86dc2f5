import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { callerOf } from '../../platform/caller.ts';
import { noQuery } from '../../platform/schemas.ts';
import { context, limits, presentContext } from './overview.schemas.ts';
import { readContext } from './read-context.ts';
import { type LimitsDeps, readLimits } from './read-limits.ts';

export type OverviewRouteDeps = LimitsDeps;

export const overviewRoutes =
  (deps: OverviewRouteDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/users/me/context',
      {
        config: { access: 'USER' },
        schema: {
          tags: ['Users'],
          summary: 'Who am I, and how are things',
          description:
            "The caller, the account, its credit and what it buys, running calls, the caller's own extensions, where softphones register, and the caller's webhooks that need attention, in one answer. `credit.minutes` counts calls to a Brazilian mobile number; `GET /rates/quote` tells of any number.",
          'x-clauses': ['LEDGER-15', 'USER-22'],
          querystring: noQuery,
          response: { 200: context },
        },
      },
      async (request) => presentContext(await readContext(deps, callerOf(request))),
    );

    app.get(
      '/accounts/limits',
      {
        config: { access: 'ADMIN' },
        schema: {
          tags: ['Accounts'],
          summary: 'Read the limits in force',
          description:
            'What calls of the account may do at most, with what is used of it now, and how many requests are answered in which time. The operator changes the limits of calls.',
          'x-clauses': ['LIMIT-16'],
          querystring: noQuery,
          response: { 200: limits },
        },
      },
      async (request) => await readLimits(deps, callerOf(request)),
    );
  };
