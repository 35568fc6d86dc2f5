import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../platform/caller.ts';
import { arrayOf, arrayQuery } from '../../platform/list-schemas.ts';
import { nameSchemas } from '../../platform/schema-names.ts';
import {
  internationalText,
  nothing,
  pathId,
  refused,
  requestBody,
  timestampText,
} from '../../platform/schemas.ts';
import { afterConsoleProof, forAdmins, forUsers } from '../../platform/scopes.ts';
import type { CallerId, CallerIdDeps } from './caller-id.ts';
import { listCallerIds } from './list-caller-ids.ts';
import { removeCallerId } from './remove-caller-id.ts';
import { requestCallerId } from './request-caller-id.ts';
import { verifyCallerId } from './verify-caller-id.ts';

const tags = ['Caller ids'];

const callerId = z.object({
  id: z.int(),
  number: z.string().meta({ description: 'Digits with country code.' }),
  status: z
    .enum(['pending', 'owned'])
    .meta({ description: 'Only owned numbers can be presented; a pending number waits for its code.' }),
  source: z
    .enum(['operator', 'verified'])
    .meta({ description: 'Assigned by the operator, or verified by a code.' }),
  createdAt: timestampText,
  ownedAt: timestampText.nullable(),
});

nameSchemas({ CallerId: callerId });

const present = ({ createdAt, ownedAt, ...rest }: CallerId): z.output<typeof callerId> => ({
  ...rest,
  createdAt: createdAt.toISOString(),
  ownedAt: ownedAt?.toISOString() ?? null,
});

const params = z.object({ id: pathId('The caller ID.', 'caller-id') });

export const callerIdRoutes =
  (deps: CallerIdDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/callerIds',
      {
        config: { access: forUsers('calls:place') },
        schema: {
          tags,
          operationId: 'listCallerIds',
          summary: 'List caller IDs',
          description:
            'The numbers that the account may present as caller ID, and pending ones that await verification. A number belongs to a mode: numbers verified in test mode are not available in live mode. When another account verifies a number later, this account loses it, unless the operator assigned it.',
          'x-clauses': ['CALL-21', 'CALL-22'],
          querystring: arrayQuery,
          response: { 200: arrayOf(callerId, 'CallerIdRecord') },
        },
      },
      async (request, reply) => {
        const list = await listCallerIds(deps, callerOf(request), request.query, present);
        if (list.isEstimated) reply.header('X-Total-Estimated', 'true');
        return reply.header('X-Total-Count', list.total).send(list.items);
      },
    );
    await app.register(writingRoutes(deps));
  };

const writingRoutes =
  (deps: CallerIdDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/callerIds',
      {
        config: { access: afterConsoleProof(forAdmins('account')) },
        schema: {
          tags,
          operationId: 'requestCallerId',
          summary: 'Request a caller ID',
          description:
            'Calls the number and, after the called person has pressed 1, speaks a six-digit code in the language of the requesting user; the call is subject to the same checks and charges as any other. The code is valid for 10 minutes and 5 attempts. Another request calls with a new code, at most 3 times per day, and 5 times over all accounts, after which the response is 429 `CALLER_ID_CALL_LIMIT`. A number that the account already owns is returned without a call.',
          'x-clauses': ['CALL-37', 'CALL-55', 'CALL-56', 'LIMIT-24', 'SIGNUP-22', 'SIGNUP-34'],
          body: requestBody({ number: internationalText }, [
            'id',
            'status',
            'source',
            'createdAt',
            'ownedAt',
          ]).meta({ id: 'NewCallerId' }),
          response: {
            200: callerId,
            402: refused('`INSUFFICIENT_CREDIT`: the credit does not cover the call.'),
            403: refused(
              '`ACCESS_DENIED`, or the call is not allowed: `ACCOUNT_NOT_APPROVED`, `DESTINATION_NOT_ALLOWED`, `SPEND_LIMIT_REACHED`. `ADDRESS_UNPROVEN`: no ADMIN who has the address of the account has logged in on the page of the confirmation link yet.',
            ),
            409: refused('`ACCOUNT_LIMIT`: the account has requested as many calls as it may today.'),
          },
        },
      },
      async (request) => present(await requestCallerId(deps, callerOf(request), request.body.number)),
    );

    app.post(
      '/callerIds/:id/verify',
      {
        config: { access: afterConsoleProof(forAdmins('account')) },
        schema: {
          tags,
          operationId: 'verifyCallerId',
          summary: 'Verify a caller ID',
          description:
            'Sends the spoken code. If it is correct, the account owns the number; a number already owned is unchanged.',
          'x-clauses': ['CALL-37'],
          params,
          body: requestBody({
            code: z
              .string()
              .regex(/^\d{6}$/)
              .meta({ description: 'The spoken code, six digits.', examples: ['123456'] }),
          }).meta({ id: 'CallerIdCode' }),
          response: {
            200: callerId,
            409: refused(
              '`CODE_EXPIRED`: ten minutes have passed, or five codes were wrong. Request a new call.',
            ),
            422: refused('`VALIDATION_ERROR`: `details` lists every error. `WRONG_CODE`: the code is wrong.'),
          },
        },
      },
      async (request) =>
        present(await verifyCallerId(deps, callerOf(request), request.params.id, request.body.code)),
    );

    app.delete(
      '/callerIds/:id',
      {
        config: { access: afterConsoleProof(forAdmins('account')) },
        schema: {
          tags,
          operationId: 'removeCallerId',
          summary: 'Remove a caller ID',
          description:
            'The account can no longer present the number. Code calls made today still count towards the limit.',
          'x-clauses': ['CALL-22'],
          params,
          response: { 204: nothing },
        },
      },
      async (request) => await removeCallerId(deps, callerOf(request), request.params.id),
    );
  };
