import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../platform/caller.ts';
import { csvFormat } from '../../platform/csv.ts';
import type { Database } from '../../platform/db/database.ts';
import { pageHeaders, pageOf, pageQuery } from '../../platform/list-schemas.ts';
import { pathUuid, phoneSpelling, refused, timestampText } from '../../platform/schemas.ts';
import { forAdmins, forUsers, permitted } from '../../platform/scopes.ts';
import type { Clock } from '../../platform/time.ts';
import { priceExplanation, shownBalance } from './price.schemas.ts';
import { listStatement } from './statement/list-statement.ts';
import { getBalance, getCallPrice, quote } from './statement/read-money.ts';
import { statementCsv } from './statement/statement-csv.ts';

interface BillingRouteDeps {
  db: Database;
  clock: Clock;
}

const tags = ['Credit'];
const reais = z.number();

const statementLine = z.object({
  id: z.uuid(),
  number: z.int().meta({
    description: 'Sequence number of the entry in the ledger, which also contains entries not listed here.',
  }),
  createdAt: timestampText,
  type: z.enum(['charge', 'refund', 'chargeback', 'adjustment', 'call']),
  reference: z
    .string()
    .meta({
      description:
        'The charge or call that the entry belongs to. A call with further legs has one entry per number.',
    }),
  description: z.string(),
  amount: reais.meta({ description: 'The change of the balance.' }),
  balance: reais.meta({ description: 'The balance after the entry.' }),
  call: z
    .object({
      from: z.string().meta({ description: 'The extension.' }),
      to: z.string().meta({ description: 'The destination.' }),
      name: z.string().meta({ description: 'The name of the person of the extension at that time.' }),
      duration: z.int().meta({ description: 'Seconds from the answer to the end.' }),
    })
    .nullable()
    .meta({
      description:
        'Who called whom; null for other entries, for calls that the caller does not see and for calls after their retention.',
    }),
});

const statementQuery = pageQuery.safeExtend({
  format: csvFormat.meta({
    description:
      "Returns the page as CSV: `standard`, as with `Accept: text/csv`, or `excel-br` for spreadsheets with Brazilian settings, with titles in Portuguese, who called whom, and times in the account's time zone.",
    examples: ['excel-br'],
  }),
});

export const billingRoutes =
  (deps: BillingRouteDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/accounts/balance',
      {
        config: { access: permitted('money', forAdmins('money')) },
        schema: {
          tags,
          operationId: 'getBalance',
          summary: 'Read the balance',
          description:
            '`available` is `balance` minus `held`, the amount on hold for running calls. Calls never take `available` below zero, however many run concurrently: a call that runs out of credit is ended by the service with `ALLOTTED_TIMEOUT`. Only refunds and chargebacks can make it negative; new calls are then refused with 402.',
          'x-clauses': ['LEDGER-02', 'LEDGER-07', 'LEDGER-08', 'LEDGER-12', 'LEDGER-13'],
          response: { 200: shownBalance },
        },
      },
      async (request) => await getBalance(deps, callerOf(request)),
    );

    app.get(
      '/accounts/statement',
      {
        config: { access: permitted('money', forAdmins('money')) },
        schema: {
          tags,
          operationId: 'listStatement',
          summary: 'Read the statement',
          description:
            'Every ledger entry that changed the balance, newest first. Entries are append-only, and their sum is the balance. With `Accept: text/csv` or `format` the page is returned as CSV.',
          'x-clauses': ['LEDGER-03', 'LEDGER-13', 'LEDGER-17', 'LEDGER-18', 'LEDGER-19'],
          querystring: statementQuery,
          response: {
            200: {
              description: 'A page of the statement.',
              content: {
                'application/json': { schema: pageOf(statementLine, 'StatementEntry') },
                'text/csv': { schema: z.string() },
              },
            },
          },
        },
      },
      async (request, reply) => {
        const { format, ...asked } = request.query;
        const page = await listStatement(deps, callerOf(request), asked);
        reply.headers(pageHeaders(request.url, page));
        if (format !== undefined || request.headers.accept?.includes('text/csv')) {
          const file = statementCsv(page.data, format ?? 'standard', page.timeZone);
          return reply.type('text/csv; charset=utf-8').send(file);
        }
        return reply.type('application/json; charset=utf-8').send({ data: page.data, meta: page.meta });
      },
    );

    app.get(
      '/calls/:id/price',
      {
        config: { access: forUsers('calls:read') },
        schema: {
          tags,
          operationId: 'getCallPrice',
          summary: 'Explain the price of a call',
          description:
            'The matched prefix, the rate, the billed seconds with rounding, and the ledger entries: everything needed to recompute `callPrice`.',
          'x-clauses': [
            'LEDGER-04',
            'LEDGER-05',
            'LEDGER-06',
            'LEDGER-09',
            'LEDGER-10',
            'LEDGER-11',
            'LEDGER-13',
            'LEDGER-14',
          ],
          params: z.object({ id: pathUuid('The call.', 'call') }),
          response: { 200: priceExplanation },
        },
      },
      async (request) => await getCallPrice(deps, callerOf(request), request.params.id),
    );

    app.get(
      '/rates/quote',
      {
        config: { access: forUsers('money') },
        schema: {
          tags,
          operationId: 'quotePrice',
          summary: 'Quote the price of a call',
          description:
            '`fundedMinutes` is how long the current balance would last; null without the permission `money`.',
          querystring: z.strictObject({
            to: z
              .string()
              .max(64)
              .meta({
                description: `The number. ${phoneSpelling}`,
                examples: ['5511987654321'],
                'x-kind': 'destination',
              }),
          }),
          response: {
            200: z
              .object({
                to: z.string(),
                prefix: z.string(),
                description: z.string(),
                minutePrice: reais,
                minimumSeconds: z.int(),
                stepSeconds: z.int(),
                freeSeconds: z.int(),
                fundedMinutes: z.int().nullable(),
              })
              .meta({ id: 'Quote' }),
            403: refused('`DESTINATION_NOT_ALLOWED`: there is no price for this number.'),
          },
        },
      },
      async (request) => await quote(deps, callerOf(request), request.query.to),
    );
  };
