import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../../platform/caller.ts';
import { csvFormat } from '../../../platform/csv.ts';
import type { Database } from '../../../platform/db/database.ts';
import { nameSchemas } from '../../../platform/schema-names.ts';
import { momentText, timestampText } from '../../../platform/schemas.ts';
import { forAdmins, permitted } from '../../../platform/scopes.ts';
import type { Clock } from '../../../platform/time.ts';
import { costByExtension } from './cost-by-extension.ts';
import { costCsv } from './cost-csv.ts';
import { sumStatement } from './sum-statement.ts';

const tags = ['Credit'];
const access = permitted('money', forAdmins('money'));
const count = z.int().min(0);
const reais = z.number();
const change = (what: string) => reais.meta({ description: `Change of the balance by ${what}.` });

const totals = z.object({
  since: timestampText.nullable(),
  until: timestampText.nullable(),
  openingBalance: reais.meta({ description: 'The balance before the period.' }),
  charges: change('top-ups'),
  refunds: change('refunds'),
  chargebacks: change('chargebacks'),
  adjustments: change('adjustments of the operator'),
  calls: change('calls; zero or negative'),
  closingBalance: reais.meta({ description: '`openingBalance` plus all changes.' }),
  entries: count.meta({ description: 'Lines of the statement in the period.' }),
});

const monthText = z
  .string()
  .regex(/^(19[7-9]\d|[2-8]\d{3})-(0[1-9]|1[0-2])$/, { error: 'must be a month such as 2026-11' });

const costQuery = z.strictObject({
  month: monthText.optional().meta({
    description: "A month in the account's time zone; by default the current one.",
    examples: ['2026-11'],
  }),
  format: csvFormat.meta({
    description:
      'Returns CSV: `standard`, as with `Accept: text/csv`, or `excel-br` for spreadsheets with Brazilian settings. It has no total line; the columns add up to the total.',
    examples: ['excel-br'],
  }),
});

const cost = z.object({
  extension: z.string().meta({ examples: ['1000'] }),
  name: z.string().meta({ description: 'The name of the person at the latest call.' }),
  email: z.string(),
  calls: count,
  answered: count,
  talkSeconds: count,
  amount: reais,
});

const costs = z.object({
  month: z.string().meta({ examples: ['2026-11'] }),
  timezone: z.string(),
  since: timestampText,
  until: timestampText,
  data: z.array(cost).meta({ description: 'Highest amount first.' }),
  otherCalls: z.object({ calls: z.int(), amount: reais }).meta({
    description:
      'Charged calls that have no line in `data`: those after their retention, and those that the caller does not see.',
  }),
  total: z
    .object({ calls: count, answered: count, talkSeconds: count, amount: reais })
    .meta({ description: 'With `otherCalls`. `amount` is the cost of calls in the statement of the month.' }),
});

nameSchemas({ StatementTotals: totals, CostByExtension: costs, ExtensionCost: cost });

export const statementTotalsRoutes =
  (deps: { db: Database; clock: Clock }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/accounts/statement/totals',
      {
        config: { access },
        schema: {
          tags,
          operationId: 'sumStatement',
          summary: 'Sum the statement of a period',
          description:
            'Opening balance, changes by type and closing balance, over all lines of the statement from `since` until before `until`. They add up exactly.',
          'x-clauses': ['LEDGER-20', 'LEDGER-13'],
          querystring: z.strictObject({
            since: momentText.optional().meta({
              description: 'ISO 8601; by default the first entry.',
              'x-kind': 'window-start',
            }),
            until: momentText.optional().meta({
              description: 'ISO 8601; by default the last entry.',
              'x-kind': 'window-end',
            }),
          }),
          response: { 200: totals },
        },
      },
      async (request) => await sumStatement(deps, callerOf(request), request.query),
    );

    app.get(
      '/accounts/statement/by-extension',
      {
        config: { access },
        schema: {
          tags,
          operationId: 'costByExtension',
          summary: 'Read the cost of calls by extension and person',
          description:
            "The outbound calls that ended in a month of the account's time zone, by extension and person: how many, how long, and what they cost. The total is the cost of calls in the statement of that month. With `Accept: text/csv` or `format` it is returned as CSV.",
          'x-clauses': ['LEDGER-21', 'LEDGER-22', 'LEDGER-13', 'PERM-04'],
          querystring: costQuery,
          response: {
            200: {
              description: 'The month by extension and person.',
              content: {
                'application/json': { schema: costs },
                'text/csv': { schema: z.string() },
              },
            },
          },
        },
      },
      async (request, reply) => {
        const { format, month } = request.query;
        const found = await costByExtension(deps, callerOf(request), month);
        if (format !== undefined || request.headers.accept?.includes('text/csv')) {
          return reply.type('text/csv; charset=utf-8').send(costCsv(found, format ?? 'standard'));
        }
        return reply.type('application/json; charset=utf-8').send(found);
      },
    );
  };
