import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { callerOf } from '../../../platform/caller.ts';
import { type SummarizeDeps, summarizeCalls } from './summarize-calls.ts';
import { callSummary, summaryQuery } from './summary.schemas.ts';

export const callSummaryRoutes =
  (deps: SummarizeDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/calls/summary',
      {
        config: { access: 'USER' },
        schema: {
          tags: ['Calls'],
          summary: 'Sum up calls',
          description:
            "What the calls that began in a window of at most 92 days come to: in all, by day and by hour in the account's time zone, and by cause of their end. Exact, and as quick for a million calls as for a hundred.",
          'x-clauses': ['CALL-43', 'CALL-44'],
          querystring: summaryQuery,
          response: { 200: callSummary },
        },
      },
      async (request) => await summarizeCalls(deps, callerOf(request), request.query),
    );
  };
