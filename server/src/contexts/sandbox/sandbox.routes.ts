import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../platform/caller.ts';
import { microsFromReais } from '../../platform/money.ts';
import { nameSchemas } from '../../platform/schema-names.ts';
import { pathId, refused, requestBody } from '../../platform/schemas.ts';
import { forAdmins, permitted } from '../../platform/scopes.ts';
import { setTestCredit, shownBalance, type TestCreditDeps } from '../billing/index.ts';
import { type ChangeChargeDeps, changeCharge } from './change-charge.ts';
import { longestDelaySeconds, maxNotifications } from './report-payment.ts';

const tags = ['Charges'];
const maxPlayReais = 100_000;

const params = z.object({ id: pathId('The charge.', 'charge') });

const reporting = requestBody({
  notifications: z
    .int()
    .min(0)
    .max(maxNotifications)
    .optional()
    .meta({
      description: 'How often each event is reported; 0 reports nothing. Defaults to 1.',
      examples: [1],
    }),
  delaySeconds: z
    .int()
    .min(0)
    .max(longestDelaySeconds)
    .optional()
    .meta({ description: 'Delay before the gateway reports.', examples: [0] }),
  shuffled: z
    .boolean()
    .optional()
    .meta({ description: 'Reports events out of order, newest first.', examples: [false] }),
})
  .meta({ id: 'SandboxReporting' })
  .nullish();

const outcome = z.object({
  id: z.int().meta({ description: 'The charge.' }),
  paymentId: z.string().meta({ description: 'Payment of the charge at the sandbox.' }),
  status: z.string().meta({
    description: "The payment's status at the sandbox; the charge is updated by its notification.",
  }),
});

const wantedCredit = requestBody({
  available: z
    .number()
    .min(0)
    .max(maxPlayReais)
    .multipleOf(0.0001)
    .meta({ description: 'Test credit in reais, with up to four decimals.', examples: [0.05] }),
});

nameSchemas({ SandboxPayment: outcome, TestCredit: wantedCredit });

/** Actions of payers and banks, for developers and their tests. */
export const sandboxRoutes =
  (deps: ChangeChargeDeps & TestCreditDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/sandbox/charges/:id/pay',
      {
        config: { access: permitted('money', forAdmins('money')) },
        schema: {
          tags,
          operationId: 'paySandboxCharge',
          summary: 'Sandbox: pay a charge',
          description:
            'Pays a charge of the `sandbox` gateway as its payer would on the page at `paymentLink`. The gateway then reports a card payment as CONFIRMED and then RECEIVED, any other as RECEIVED. A cancelled charge can still be paid, like a bank slip printed before. A payment that is already paid stays unchanged.',
          'x-clauses': ['CHARGE-24'],
          params,
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
        config: { access: permitted('money', forAdmins('money')) },
        schema: {
          tags,
          operationId: 'refundSandboxCharge',
          summary: 'Sandbox: refund a charge',
          description:
            'Refunds a paid charge of the `sandbox` gateway, as the gateway would. A payment that is not paid stays unchanged.',
          'x-clauses': ['CHARGE-24'],
          params,
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
        config: { access: permitted('money', forAdmins('money')) },
        schema: {
          tags: ['Credit'],
          operationId: 'setTestCredit',
          summary: 'Sandbox: set the test credit',
          description:
            'Sets the `available` credit of a test account to this amount, to test calls that are refused or ended for lack of credit. It appears in the statement as an adjustment. Holds of running calls stay. A live account returns 404.',
          'x-clauses': ['LEDGER-16'],
          body: wantedCredit,
          response: {
            200: shownBalance,
            404: refused('`NOT_FOUND`: the account is live.'),
          },
        },
      },
      async (request) =>
        await setTestCredit(deps, callerOf(request), microsFromReais(request.body.available)),
    );
  };
