import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { callerOf } from '../../platform/caller.ts';
import { duringSetUp, forAdmins, forPersons } from '../../platform/scopes.ts';
import { context, limits, presentContext } from './overview.schemas.ts';
import { readContext } from './read-context.ts';
import { type LimitsDeps, readLimits } from './read-limits.ts';

export const overviewRoutes =
  (deps: LimitsDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/users/me/context',
      {
        config: { access: duringSetUp(forPersons('full')) },
        schema: {
          tags: ['Users'],
          operationId: 'getUserContext',
          summary: "The caller's context",
          description:
            "The caller, their availability and what the caller may do, the account, its credit and the minutes it buys, running calls, the caller's own extensions, the registration addresses for softphones, the caller's webhooks that need attention, and what has been done to set up the account, in one response. `credit.minutes` is for calls to a Brazilian mobile; for other numbers see `GET /rates/quote`.",
          'x-clauses': [
            'FACTOR-11',
            'LEDGER-15',
            'PRESENCE-02',
            'SIGNUP-35',
            'USER-22',
            'USER-31',
            'USER-33',
          ],
          response: { 200: context },
        },
      },
      async (request) => presentContext(await readContext(deps, callerOf(request))),
    );

    app.get(
      '/accounts/limits',
      {
        config: { access: forAdmins('account') },
        schema: {
          tags: ['Accounts'],
          operationId: 'getLimits',
          summary: 'Read the limits',
          description:
            "The account's call limits and budgets with their current use, the rate limits of requests, and how long data is kept. The operator changes call limits and budgets.",
          'x-clauses': ['LIMIT-16', 'LIMIT-19', 'LIMIT-20', 'LIMIT-33'],
          response: { 200: limits },
        },
      },
      async (request) => await readLimits(deps, callerOf(request)),
    );
  };
