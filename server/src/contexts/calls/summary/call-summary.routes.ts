import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { callerOf } from '../../../platform/caller.ts';
import { forUsers } from '../../../platform/scopes.ts';
import { type SummarizeDeps, summarizeCalls } from './summarize-calls.ts';
import { callSummary, summaryQuery } from './summary.schemas.ts';

export const callSummaryRoutes =
  (deps: SummarizeDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/calls/summary',
      {
        config: { access: forUsers('calls:read') },
        schema: {
          tags: ['Calls'],
          operationId: 'summarizeCalls',
          summary: 'Summarize calls',
          description:
            "Totals for the calls that the caller sees, started in a window of up to 92 days: overall, by day and by hour in the account's time zone, and by end reason. Exact, and for all calls of the account equally fast for a hundred and for a million.",
          'x-clauses': ['CALL-43', 'CALL-44', 'CALL-67', 'PERM-04'],
          querystring: summaryQuery,
          response: { 200: callSummary },
        },
      },
      async (request) => await summarizeCalls(deps, callerOf(request), request.query),
    );
  };
