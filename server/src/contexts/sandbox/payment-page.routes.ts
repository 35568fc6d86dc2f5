import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type ChangePaymentDeps, changePayment } from './change-payment.ts';
import { pageHeaders, renderMissing, renderPayment } from './page/payment-page.ts';
import { localeOf } from './page/words.ts';
import { readPayment } from './read-payment.ts';

const params = z.object({ id: z.string() });
const payerChoice = z.object({
  choice: z.enum(['PIX', 'BOLETO', 'CREDIT_CARD', 'DEBIT_CARD']).optional().catch(undefined),
});
const largestFormBytes = 1024;

/**
 * Serves the page at `paymentLink`, outside the API. The id is a secret: anyone with the link may see and pay the
 * payment, and there is no session that another site could abuse.
 */
export const paymentPageRoutes =
  (deps: ChangePaymentDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: largestFormBytes },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );

    app.get('/sandbox/pay/:id', { schema: { params } }, async (request, reply) => {
      const locale = localeOf(request.headers['accept-language']);
      const payment = await readPayment(deps, request.params.id);
      reply.headers(pageHeaders).header('Content-Language', locale);
      return payment
        ? reply.send(renderPayment(payment, locale, deps.clock.now()))
        : reply.code(404).send(renderMissing(locale));
    });

    app.post('/sandbox/pay/:id/pay', { schema: { params } }, async (request, reply) => {
      const { choice } = payerChoice.parse(request.body ?? {});
      const { id } = request.params;
      // A cancelled payment cannot be paid on its page. The API can pay it, to simulate a late payment.
      const payment = await readPayment(deps, id);
      if (payment?.status === 'PENDING') await changePayment(deps, id, 'pay', { choice });
      return backToPage(reply, id);
    });

    app.post('/sandbox/pay/:id/refuse', { schema: { params } }, async (request, reply) => {
      await changePayment(deps, request.params.id, 'refuse');
      return backToPage(reply, request.params.id);
    });
  };

const backToPage = (reply: FastifyReply, id: string) =>
  reply.headers(pageHeaders).redirect(`/sandbox/pay/${encodeURIComponent(id)}`, 303);
