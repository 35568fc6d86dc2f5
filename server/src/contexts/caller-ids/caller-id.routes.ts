import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../platform/caller.ts';
import { arrayOf, arrayQuery } from '../../platform/list-schemas.ts';
import { internationalDigits } from '../../platform/phone.ts';
import { noQuery, nothing, refused, requestBody, timestampText } from '../../platform/schemas.ts';
import type { CallerId, CallerIdDeps } from './caller-id.ts';
import { listCallerIds } from './list-caller-ids.ts';
import { removeCallerId } from './remove-caller-id.ts';
import { requestCallerId } from './request-caller-id.ts';
import { verifyCallerId } from './verify-caller-id.ts';

export type CallerIdRouteDeps = CallerIdDeps;

const tags = ['Caller ids'];

const callerId = z.object({
  id: z.int(),
  number: z.string().meta({ description: 'Digits with country code.' }),
  status: z
    .enum(['pending', 'owned'])
    .meta({ description: 'Only a number that is owned can be shown; a pending one waits for its code.' }),
  source: z
    .enum(['operator', 'verified'])
    .meta({ description: 'Assigned by the operator, or verified by a code.' }),
  createdAt: timestampText,
  ownedAt: timestampText.nullable(),
});

const present = ({ createdAt, ownedAt, ...rest }: CallerId): z.output<typeof callerId> => ({
  ...rest,
  createdAt: createdAt.toISOString(),
  ownedAt: ownedAt?.toISOString() ?? null,
});

const number = z
  .string()
  .transform((text, context) => {
    const digits = internationalDigits(text);
    if (digits !== undefined) return digits;
    context.addIssue({ code: 'custom', message: 'must be a valid number with its country code' });
    return z.NEVER;
  })
  .meta({
    description: 'Country code, area code and number. A leading + and separators are removed.',
    examples: ['5511987654321'],
    'x-kind': 'destination',
  });

const params = z.object({
  // A number that is none is answered like one that does not exist.
  id: z
    .string()
    .transform((text) => (/^\d{1,15}$/.test(text) ? Number(text) : 0))
    .meta({ description: 'The caller id.', 'x-refers-to': 'caller-id', examples: ['1'] }),
});

export const callerIdRoutes =
  (deps: CallerIdRouteDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/callerIds',
      {
        config: { access: 'USER' },
        schema: {
          tags,
          summary: 'List caller ids',
          description:
            'The numbers the account may show to those it calls, and those that wait for their code. A number belongs to a mode: what was verified in test mode is not there in live mode. A number that another account verifies later is theirs from then on, unless the operator assigned it.',
          'x-clauses': ['CALL-21', 'CALL-22'],
          querystring: arrayQuery,
          response: { 200: arrayOf(callerId) },
        },
      },
      async (request, reply) => {
        const found = await listCallerIds(deps, callerOf(request), request.query, present);
        if (found.isEstimated) reply.header('X-Total-Estimated', 'true');
        return reply.header('X-Total-Count', found.total).send(found.items);
      },
    );
    await app.register(writingRoutes(deps));
  };

const writingRoutes =
  (deps: CallerIdRouteDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/callerIds',
      {
        config: { access: 'ADMIN' },
        schema: {
          tags,
          summary: 'Ask for a caller id',
          description:
            'Calls the number and speaks a code of six digits, in the language of the caller; the call is refused and charged like any other. The code is valid for 10 minutes and 5 tries; asking again calls with a new one, 3 times a day at most, after which the answer is 429 `CALLER_ID_CALL_LIMIT`. A number that the account owns already is answered as it is, without a call.',
          'x-clauses': ['CALL-37'],
          querystring: noQuery,
          body: requestBody({ number }, ['id', 'status', 'source', 'createdAt', 'ownedAt']),
          response: {
            200: callerId,
            402: refused('`INSUFFICIENT_CREDIT`: the credit does not cover the call.'),
            403: refused(
              '`ACCESS_DENIED`, or the call is not allowed: `DESTINATION_NOT_ALLOWED`, `SPEND_LIMIT_REACHED`.',
            ),
          },
        },
      },
      async (request) => present(await requestCallerId(deps, callerOf(request), request.body.number)),
    );

    app.post(
      '/callerIds/:id/verify',
      {
        config: { access: 'ADMIN' },
        schema: {
          tags,
          summary: 'Verify a caller id',
          description: 'With the spoken code the number is owned; one that is owned already stays as it is.',
          'x-clauses': ['CALL-37'],
          params,
          querystring: noQuery,
          body: requestBody({
            code: z
              .string()
              .regex(/^\d{6}$/)
              .meta({ description: 'The six digits that were spoken.', examples: ['123456'] }),
          }),
          response: {
            200: callerId,
            409: refused(
              '`CODE_EXPIRED`: ten minutes have passed, or five codes were wrong. Ask for a new call.',
            ),
            422: refused(
              '`VALIDATION_ERROR`: `details` names every fault. `WRONG_CODE`: it was another one.',
            ),
          },
        },
      },
      async (request) =>
        present(await verifyCallerId(deps, callerOf(request), request.params.id, request.body.code)),
    );

    app.delete(
      '/callerIds/:id',
      {
        config: { access: 'ADMIN' },
        schema: {
          tags,
          summary: 'Remove a caller id',
          description: 'The number is not shown any more. Codes of today still count.',
          'x-clauses': ['CALL-22'],
          params,
          querystring: noQuery,
          response: { 204: nothing },
        },
      },
      async (request, reply) => {
        await removeCallerId(deps, callerOf(request), request.params.id);
        return reply.code(204).send();
      },
    );
  };
