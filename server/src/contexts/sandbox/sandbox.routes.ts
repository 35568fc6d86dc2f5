import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../platform/caller.ts';
import { microsFromReais } from '../../platform/money.ts';
import { noQuery, refused, requestBody } from '../../platform/schemas.ts';
import { type PlayCreditDeps, setPlayCredit } from '../billing/index.ts';
import { type ChangeChargeDeps, changeCharge } from './change-charge.ts';
import { longestDelaySeconds, mostNotifications } from './report-payment.ts';

const tags = ['Charges'];
const mostPlayReais = 100_000;

const params = z.object({
  // A number that is none is answered like one that does not exist.
  id: z
    .string()
    .transform((text) => (/^\d{1,15}$/.test(text) ? Number(text) : 0))
    .meta({ description: 'The charge.', 'x-refers-to': 'charge', examples: ['1'] }),
});

const reporting = requestBody({
  notifications: z
    .int()
    .min(0)
    .max(mostNotifications)
    .optional()
    .meta({ description: 'How often each event is reported; 0 is silence. 1 unless told.', examples: [1] }),
  delaySeconds: z
    .int()
    .min(0)
    .max(longestDelaySeconds)
    .optional()
    .meta({ description: 'How long the gateway waits before it reports.', examples: [0] }),
  shuffled: z
    .boolean()
    .optional()
    .meta({ description: 'Reports events out of order: the newest first.', examples: [false] }),
}).nullish();

const outcome = z.object({
  id: z.int().meta({ description: 'The charge.' }),
  paymentId: z.string().meta({ description: 'Its payment at the sandbox.' }),
  status: z.string().meta({
    description: "The payment's status at the sandbox; the charge follows once it was reported.",
  }),
});

const reais = z.number();

const wantedCredit = requestBody({
  available: reais
    .min(0)
    .max(mostPlayReais)
    .multipleOf(0.0001)
    .meta({ description: 'Reais of play credit, with up to four decimals.', examples: [0.05] }),
});

/** For developers and their tests: what payers and banks do elsewhere. */
export const sandboxRoutes =
  (deps: ChangeChargeDeps & PlayCreditDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/sandbox/charges/:id/pay',
      {
        config: { access: 'ADMIN' },
        schema: {
          tags,
          summary: 'Sandbox: pay a charge',
          description:
            'Pays a charge of the `sandbox` gateway as its payer would on the page at `paymentLink`. The gateway then reports: a card payment as CONFIRMED and then RECEIVED, any other as RECEIVED. A cancelled charge can still be paid, like a bank slip that was printed before. A payment that was paid before stays as it is.',
          'x-clauses': ['CHARGE-24'],
          params,
          querystring: noQuery,
          body: reporting,
          response: { 200: outcome },
        },
      },
      async (request) =>
        await changeCharge(deps, callerOf(request), request.params.id, 'pay', request.body ?? {}),
    );

    app.post(
      '/sandbox/charges/:id/refund',
      {
        config: { access: 'ADMIN' },
        schema: {
          tags,
          summary: 'Sandbox: refund a charge',
          description:
            'Gives a paid charge of the `sandbox` gateway back as the gateway would. A payment that is not paid stays as it is.',
          'x-clauses': ['CHARGE-24'],
          params,
          querystring: noQuery,
          body: reporting,
          response: { 200: outcome },
        },
      },
      async (request) =>
        await changeCharge(deps, callerOf(request), request.params.id, 'refund', request.body ?? {}),
    );

    app.post(
      '/sandbox/credit',
      {
        config: { access: 'ADMIN' },
        schema: {
          tags: ['Credit'],
          summary: 'Sandbox: set the play credit',
          description:
            'Gives a test account exactly this much `available` credit, to see calls refused or ended for lack of it. It stands in the statement as an adjustment. What running calls hold stays held. A live account is answered 404.',
          'x-clauses': ['LEDGER-16'],
          querystring: noQuery,
          body: wantedCredit,
          response: {
            200: z.object({ balance: reais, held: reais, available: reais, currency: z.literal('BRL') }),
            404: refused('`NOT_FOUND`: the account is live.'),
          },
        },
      },
      async (request) =>
        await setPlayCredit(deps, callerOf(request), microsFromReais(request.body.available)),
    );
  };
