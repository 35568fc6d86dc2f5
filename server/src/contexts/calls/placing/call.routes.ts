import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { destinationRingSeconds, extensionRingSeconds } from '../../../platform/call-timings.ts';
import { callerOf } from '../../../platform/caller.ts';
import { emptyBody, idempotencyHeader, refused, validField } from '../../../platform/schemas.ts';
import { forUsers } from '../../../platform/scopes.ts';
import { type HangUpDeps, hangUpCall } from '../lifecycle/hang-up-call.ts';
import {
  callerId,
  destination,
  hungUpCall,
  newCall,
  newDialerCall,
  placedCall,
  placedDialerCall,
} from './call.schemas.ts';
import { faultsOfNumbers, type PlaceCallDeps, placeCall } from './place-call.ts';

type CallRouteDeps = PlaceCallDeps & HangUpDeps;

const tags = ['Calls'];

const refusals = {
  402: refused('`INSUFFICIENT_CREDIT`: the available credit does not cover the first minute.'),
  403: refused(
    '`ACCESS_DENIED`, `ACCOUNT_NOT_APPROVED`, `CALLING_SUSPENDED`, `DESTINATION_NOT_ALLOWED`, `CALLER_ID_NOT_ALLOWED` or `SPEND_LIMIT_REACHED`.',
  ),
  404: refused('The account has no such extension.'),
  409: refused(
    '`IDEMPOTENCY_CONFLICT` with `Retry-After`: the first request with this key is still running.',
  ),
  424: refused('`EXTENSION_NOT_REGISTERED`: no softphone is registered for the extension.'),
};

const rules =
  'Errors take precedence in this order: 422, idempotency, 404 (unknown extension), 403, 402, 424, 429 `CAPACITY_EXCEEDED`. A refused call costs nothing and leaves no record. With an `Idempotency-Key` the request is safe to retry for 24 hours.';

/** On every dialer response: deprecation date, sunset date and the replacement. */
const deprecationHeaders = {
  Deprecation: '@1767225600',
  Sunset: 'Fri, 31 Dec 2027 23:59:59 GMT',
  Link: '</api/v1/calls>; rel="successor-version"',
};

const params = z.object({
  id: z.string().meta({
    description: 'The id of the call, or the id that `POST /dialer` returned for it.',
    'x-refers-to': 'call',
    examples: ['0192f0c5-7c5e-7a51-8c1d-3f6c6d3e8c52'],
  }),
});

export const callRoutes =
  (deps: CallRouteDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/calls',
      {
        config: {
          access: forUsers('calls:place'),
          otherFaults: ({ body }) =>
            faultsOfNumbers({
              calledField: 'called',
              called: validField(body, 'called', destination),
              caller: validField(body, 'caller', callerId),
            }),
        },
        schema: {
          tags,
          operationId: 'placeCall',
          summary: 'Place a call',
          description: `Rings the extension's softphone for up to ${extensionRingSeconds} s; when it answers, dials the destination for up to ${destinationRingSeconds} s and connects both. Each hears the other within 300 ms of the answer, without gaps, and never another call. The response is sent before the softphone answers. The INVITE to the softphone carries \`X-Disca-Call-Id\`; it requests auto-answer only if the extension's own user placed the call or the extension has \`auto_answer\` 1. Only Brazilian fixed and mobile numbers are allowed unless the operator enables more. A USER can call from their own extensions, an ADMIN from any. ${rules}`,
          'x-clauses': [
            'CALL-58',
            'AUDIO-01',
            'AUDIO-02',
            'AUDIO-03',
            'AUDIO-04',
            'AUDIO-06',
            'AUDIO-07',
            'AUDIO-08',
            'CALL-12',
            'CALL-13',
            'CALL-14',
            'CALL-15',
            'CALL-16',
            'CALL-17',
            'CALL-18',
            'CALL-19',
            'CALL-20',
            'CALL-21',
            'CALL-22',
            'CALL-23',
            'CALL-24',
            'CALL-25',
            'CALL-26',
            'CALL-27',
            'CALL-30',
            'CALL-31',
            'CALL-32',
            'CALL-33',
            'CALL-34',
            'CALL-36',
            'CALL-38',
            'CALL-39',
            'CALL-46',
            'CALL-47',
            'LIMIT-18',
            'SIGNUP-34',
            'CALL-48',
            'CALL-49',
            'AUTH-14',
          ],
          headers: idempotencyHeader,
          body: newCall,
          response: { 200: placedCall, ...refusals },
        },
      },
      async (request, reply) => {
        const { called, extension, caller, metadata } = request.body;
        const { id, callId, replayed } = await placeCall(
          deps,
          callerOf(request),
          { calledField: 'called', called, extension, caller, metadata },
          { route: 'POST /calls', withDialerId: false, key: request.headers['idempotency-key'] },
        );
        request.callId = callId;
        if (replayed) reply.header('Idempotency-Replayed', 'true');
        return { status: 'queued' as const, id, message: 'The call is queued.' };
      },
    );

    app.post(
      '/dialer',
      {
        config: {
          access: forUsers('calls:place'),
          otherFaults: ({ body }) =>
            faultsOfNumbers({ calledField: 'phone', called: validField(body, 'phone', destination) }),
        },
        onRequest: (_request, reply, done) => {
          reply.headers(deprecationHeaders);
          done();
        },
        schema: {
          tags,
          deprecated: true,
          operationId: 'placeDialerCall',
          summary: 'Place a call (deprecated)',
          description: `Deprecated: use \`POST /calls\`, which places the call in the same way and returns the same errors. The \`id\` can only be used to hang up. ${rules}`,
          'x-clauses': ['DIALER-04', 'DIALER-05', 'DIALER-06', 'DIALER-07'],
          headers: idempotencyHeader,
          body: newDialerCall,
          response: { 200: placedDialerCall, ...refusals },
        },
      },
      async (request, reply) => {
        const { phone, extension, metadata } = request.body;
        const { id, callId, replayed } = await placeCall(
          deps,
          callerOf(request),
          { calledField: 'phone', called: phone, extension, metadata },
          { route: 'POST /dialer', withDialerId: true, key: request.headers['idempotency-key'] },
        );
        request.callId = callId;
        if (replayed) reply.header('Idempotency-Replayed', 'true');
        return { id, message: 'The call is queued. This route is deprecated: use POST /calls.' };
      },
    );

    app.post(
      '/calls/:id/hangup',
      {
        config: { access: forUsers('calls:place') },
        schema: {
          tags,
          operationId: 'hangUpCall',
          summary: 'End a call',
          description:
            'Ends a call in any state: an answered call is released; a ringing call is cancelled and nothing more is dialled. A call that has already ended is unchanged. A USER can end their own calls, an ADMIN and a USER with the permission `supervision` any call of the account. A call that the USER does not see returns 404.',
          'x-clauses': ['HANGUP-03', 'HANGUP-04', 'HANGUP-05', 'DIALER-04', 'AUTH-14', 'PERM-07'],
          params,
          body: emptyBody,
          response: { 200: hungUpCall, 403: refused('`ACCESS_DENIED`: the call belongs to another user.') },
        },
      },
      async (request) => {
        const { id } = request.params;
        const { isEnded, callId } = await hangUpCall(deps, callerOf(request), id);
        request.callId = callId;
        return isEnded
          ? { id, status: 'ended' as const, message: 'The call has ended.' }
          : { id, status: 'ending' as const, message: 'The call is being ended.' };
      },
    );
  };
