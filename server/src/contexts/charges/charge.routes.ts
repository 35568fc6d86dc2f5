import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../platform/caller.ts';
import { pageHeaders, pageOf, pageQuery } from '../../platform/list-schemas.ts';
import { microsFromReais } from '../../platform/money.ts';
import { emptyBody, idempotencyHeader, pathId, refused, validField } from '../../platform/schemas.ts';
import { forAdmins, permitted } from '../../platform/scopes.ts';
import { cancelCharge } from './cancel-charge.ts';
import { faultsOfDueDate } from './charge.rules.ts';
import {
  createdCharge,
  dueDate,
  newCharge,
  presentCreated,
  presentShown,
  presentWhole,
  shownCharge,
  wholeCharge,
} from './charge.schemas.ts';
import { type ChargeDeps, createCharge } from './create-charge.ts';
import { getCharge, getPix, listCharges } from './list-charges.ts';

const tags = ['Charges'];

const params = z.object({ id: pathId('The charge.', 'charge') });

export const chargeRoutes =
  (deps: ChargeDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/charges',
      {
        config: {
          access: permitted('money', forAdmins('money')),
          otherFaults: ({ body }) => {
            const given = validField(body, 'dueDate', dueDate);
            return given === undefined ? [] : faultsOfDueDate(given, deps.clock.now());
          },
        },
        schema: {
          tags,
          operationId: 'createCharge',
          summary: 'Create a charge',
          description:
            'Tops up credit. A new charge is PENDING; after its due date it is OVERDUE and can still be paid. Once paid, it becomes CONFIRMED and later RECEIVED, or RECEIVED directly; the account is credited at the first of these; REFUNDED and CHARGEBACK reverse the credit. While a charge is PENDING or OVERDUE no other can be created. A live account needs an ACTIVE financial account. With an `Idempotency-Key` the request is safe to retry for 24 hours: the same body gets the first response again with `Idempotency-Replayed: true`, a different body returns 422, and a retry while the first request is still running returns 409.',
          'x-clauses': [
            'CHARGE-10',
            'CHARGE-11',
            'CHARGE-12',
            'CHARGE-13',
            'CHARGE-14',
            'CHARGE-15',
            'CHARGE-19',
            'CHARGE-20',
            'CHARGE-21',
            'CHARGE-25',
            'CHARGE-26',
            'AUTH-16',
          ],
          headers: idempotencyHeader,
          body: newCharge,
          response: {
            200: createdCharge,
            409: refused(
              '`OPEN_CHARGE_EXISTS`, `FINANCIAL_ACCOUNT_INACTIVE`, or `IDEMPOTENCY_CONFLICT` with `Retry-After`.',
            ),
          },
        },
      },
      async (request, reply) => {
        const { amount, ...rest } = request.body;
        const input = { ...rest, amountMicros: microsFromReais(amount) };
        const key = request.headers['idempotency-key'];
        const { shown, replayed } = await createCharge(deps, callerOf(request), input, key, presentCreated);
        if (replayed) reply.header('Idempotency-Replayed', 'true');
        return reply.send(shown);
      },
    );

    app.get(
      '/charges',
      {
        config: { access: permitted('money', forAdmins('money')) },
        schema: {
          tags,
          operationId: 'listCharges',
          summary: 'List charges',
          'x-clauses': ['AUTH-16'],
          querystring: pageQuery,
          response: { 200: pageOf(wholeCharge, 'ChargeRecord') },
        },
      },
      async (request, reply) => {
        const page = await listCharges(deps, callerOf(request), request.query, presentWhole);
        return reply.headers(pageHeaders(request.url, page)).send(page);
      },
    );

    app.get(
      '/charges/:id',
      {
        config: { access: permitted('money', forAdmins('money')) },
        schema: {
          tags,
          operationId: 'getCharge',
          summary: 'Read a charge',
          'x-clauses': ['CHARGE-23', 'CHARGE-28'],
          params,
          response: { 200: shownCharge },
        },
      },
      async (request) => presentShown(await getCharge(deps, callerOf(request), request.params.id)),
    );

    app.get(
      '/charges/:id/pix',
      {
        config: { access: permitted('money', forAdmins('money')) },
        schema: {
          tags,
          operationId: 'getPixCode',
          summary: 'Read the Pix code of a charge',
          description: 'The copy-and-paste code, an EMV BR Code with the amount, and its QR image.',
          'x-clauses': ['CHARGE-27'],
          params,
          response: {
            200: z
              .object({
                code: z.string(),
                image: z.string().meta({ description: 'A PNG as a data URL.' }),
                expiresAt: z.string(),
              })
              .meta({ id: 'PixCode' }),
          },
        },
      },
      async (request) => {
        const { code, imageBase64, expiresAt } = await getPix(deps, callerOf(request), request.params.id);
        return { code, image: `data:image/png;base64,${imageBase64}`, expiresAt: expiresAt.toISOString() };
      },
    );

    app.patch(
      '/charges/:id/cancel',
      {
        config: { access: permitted('money', forAdmins('money')) },
        schema: {
          tags,
          operationId: 'cancelCharge',
          summary: 'Cancel a charge',
          description:
            'An open charge becomes CANCELED; cancelling it again returns the same response. A payment that arrives afterwards still credits the account.',
          'x-clauses': ['CHARGE-16', 'CHARGE-17', 'CHARGE-18', 'CHARGE-20', 'CHARGE-22', 'AUTH-16'],
          params,
          body: emptyBody,
          response: { 200: wholeCharge, 409: refused('`CHARGE_NOT_CANCELABLE`: the charge has been paid.') },
        },
      },
      async (request) => presentWhole(await cancelCharge(deps, callerOf(request), request.params.id)),
    );
  };
