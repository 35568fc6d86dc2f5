import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../../platform/caller.ts';
import { idempotencyHeader, refused, validField } from '../../../platform/schemas.ts';
import { forUsers } from '../../../platform/scopes.ts';
import { type AddPartyDeps, addParty, faultsOfParty, type NewParty } from './add-party.ts';
import {
  command as commandBody,
  controlledCall,
  newConference,
  newTransfer,
  presentControlled,
  target,
} from './control.schemas.ts';
import { type Command, controlCall, maxParties } from './control-call.ts';

const tags = ['Calls'];

const callParams = (refersTo: 'running-call' | 'transferred-call') =>
  z.object({
    id: z.string().meta({
      description: 'The id of the call, or the id that `POST /dialer` returned for it.',
      'x-refers-to': refersTo,
      examples: ['0192f0c5-7c5e-7a51-8c1d-3f6c6d3e8c52'],
    }),
  });
const params = callParams('running-call');
const transferParams = callParams('transferred-call');

const refusals = {
  403: refused(
    '`ACCESS_DENIED`: the call belongs to another user, or only a supervisor can act for this party.',
  ),
  409: refused('`CALL_ENDED` or `CALL_NOT_ANSWERED`.'),
  503: refused('`SERVICE_UNAVAILABLE` with `Retry-After`: the media node of the call cannot control calls.'),
};

const transferRefusals = {
  ...refusals,
  409: refused('`CALL_ENDED`, `CALL_NOT_ANSWERED` or `NO_TRANSFER`.'),
};

const rules =
  'The command sets what is wanted, so repeating it changes nothing; the response is sent before the engine has done it. A USER controls their own calls, an ADMIN and a USER with the permission `supervision` any call of the account. A call that the USER does not see returns 404. Errors take precedence in this order: 422, 404, 403, 409 `CALL_ENDED`, 409 `CALL_NOT_ANSWERED`, 503.';

const commands = [
  {
    command: 'hold',
    operationId: 'holdCall',
    summary: 'Put the other party on hold',
    description: `The other party of an answered call hears music, and no one hears it. The acting party hears silence. The time on hold is part of the duration and is charged; it is not recorded. ${rules}`,
    clauses: [
      'CTRL-01',
      'CTRL-02',
      'CTRL-05',
      'CTRL-06',
      'CTRL-07',
      'CTRL-08',
      'CTRL-09',
      'CTRL-10',
      'CTRL-11',
      'CTRL-12',
      'CTRL-13',
    ],
  },
  {
    command: 'unhold',
    operationId: 'unholdCall',
    summary: 'Resume the call with the other party',
    description: `Both parties hear each other again. ${rules}`,
    clauses: ['CTRL-01', 'CTRL-03', 'CTRL-05', 'CTRL-06', 'CTRL-07'],
  },
  {
    command: 'mute',
    operationId: 'muteCall',
    summary: 'Mute the microphone',
    description: `The others do not hear the acting party, who hears them. ${rules}`,
    clauses: ['CTRL-01', 'CTRL-04', 'CTRL-05', 'CTRL-06', 'CTRL-07'],
  },
  {
    command: 'unmute',
    operationId: 'unmuteCall',
    summary: 'Unmute the microphone',
    description: `The others hear the acting party again. ${rules}`,
    clauses: ['CTRL-01', 'CTRL-04', 'CTRL-05', 'CTRL-06', 'CTRL-07'],
  },
  {
    command: 'complete',
    path: 'transfer/complete',
    operationId: 'completeTransfer',
    summary: 'Complete an attended transfer',
    description: `The transferring party leaves the call, and the others talk. Hanging up has the same effect. 409 \`CALL_NOT_ANSWERED\` until the called party has answered; 409 \`NO_TRANSFER\` if none is in progress. ${rules}`,
    clauses: ['CTRL-16', 'CTRL-19', 'CTRL-25'],
  },
  {
    command: 'cancel',
    path: 'transfer/cancel',
    operationId: 'cancelTransfer',
    summary: 'Cancel a transfer',
    description: `The called party is released, and the other party returns from hold. A blind transfer can be cancelled until the called party rings. 409 \`NO_TRANSFER\` if none is in progress. ${rules}`,
    clauses: ['CTRL-17', 'CTRL-19'],
  },
] as const satisfies { command: Command; path?: string; [more: string]: unknown }[];

const addingRules = `\`to\` is an extension of the account, if one has this number; otherwise a number as in \`POST /calls\`, which is authorised, priced and charged in the same way from its own answer to its own end, holds its first minute and takes a slot of the account's concurrent calls. Calls to extensions are free. An extension whose owner does not take calls is not rung: the attempt fails. A call has at most ${maxParties} parties. With an \`Idempotency-Key\` the request is safe to retry for 24 hours; the response to a repetition has the legs as they are then. A USER controls their own calls, an ADMIN and a USER with the permission \`supervision\` any call of the account. Errors take precedence in this order: 422, idempotency, 404, 403 \`ACCESS_DENIED\`, 409 \`CALL_ENDED\`, \`CALL_NOT_ANSWERED\`, \`TRANSFER_IN_PROGRESS\`, \`TOO_MANY_PARTIES\`, 503, 422 for a number that is no extension, then as for \`POST /calls\`: 403, 402, 424, 429 \`CAPACITY_EXCEEDED\`. A refused command changes nothing.`;

const addingRefusals = {
  ...refusals,
  402: refused('`INSUFFICIENT_CREDIT`: the available credit does not cover the first minute.'),
  403: refused(
    '`ACCESS_DENIED`, `ACCOUNT_NOT_APPROVED`, `CALLING_SUSPENDED`, `DESTINATION_NOT_ALLOWED` or `SPEND_LIMIT_REACHED`.',
  ),
  409: refused(
    '`CALL_ENDED`, `CALL_NOT_ANSWERED`, `TRANSFER_IN_PROGRESS`, `TOO_MANY_PARTIES`, or `IDEMPOTENCY_CONFLICT` with `Retry-After`.',
  ),
  424: refused('`EXTENSION_NOT_REGISTERED`: no softphone is registered for the extension.'),
};

const adding = [
  {
    command: 'transfer',
    operationId: 'transferCall',
    summary: 'Transfer a call',
    description: `Calls \`to\`, while the other party hears music. A blind transfer connects both when \`to\` answers, and the acting party leaves the call when \`to\` rings; until then, the other party returns to it if the transfer fails. In an attended transfer the acting party talks to \`to\` and then completes or cancels the transfer; if \`to\` does not answer, the other party returns. ${addingRules}`,
    clauses: [
      'CTRL-14',
      'CTRL-15',
      'CTRL-16',
      'CTRL-18',
      'CTRL-19',
      'CTRL-21',
      'CTRL-22',
      'CTRL-23',
      'CTRL-24',
      'CTRL-25',
      'CTRL-26',
      'CTRL-27',
    ],
    body: newTransfer,
  },
  {
    command: 'conference',
    operationId: 'addParty',
    summary: 'Add a party to a call',
    description: `Calls \`to\`, which joins the parties that talk when it answers. ${addingRules}`,
    clauses: ['CTRL-14', 'CTRL-19', 'CTRL-20', 'CTRL-21', 'CTRL-22', 'CTRL-23'],
    body: newConference,
  },
] as const;

export const controlRoutes =
  (deps: AddPartyDeps): FastifyPluginAsyncZod =>
  async (app) => {
    for (const { command, operationId, summary, description, clauses, ...more } of commands) {
      app.post(
        `/calls/:id/${'path' in more ? more.path : command}`,
        {
          config: { access: forUsers('calls:place') },
          schema: {
            tags,
            operationId,
            summary,
            description,
            'x-clauses': [...clauses],
            params: 'path' in more ? transferParams : params,
            body: commandBody,
            response: { 200: controlledCall, ...('path' in more ? transferRefusals : refusals) },
          },
        },
        async (request) => {
          const { id } = request.params;
          const controlled = await controlCall(deps, callerOf(request), id, command, request.body?.by);
          request.callId = controlled.callId;
          return presentControlled(id, controlled);
        },
      );
    }
    for (const { command, operationId, summary, description, clauses, body } of adding) {
      app.post(
        `/calls/:id/${command}`,
        {
          config: {
            access: forUsers('calls:place'),
            otherFaults: (request) => faultsOfParty(validField(request.body, 'to', target)),
          },
          schema: {
            tags,
            operationId,
            summary,
            description,
            'x-clauses': [...clauses],
            params,
            headers: idempotencyHeader,
            body,
            response: { 200: controlledCall, ...addingRefusals },
          },
        },
        async (request, reply) => {
          const { id } = request.params;
          const { to, by } = request.body;
          const purpose: NewParty['purpose'] = 'kind' in request.body ? request.body.kind : 'conference';
          const key = request.headers['idempotency-key'];
          const added = await addParty(deps, callerOf(request), id, { command, purpose, to, by }, key);
          request.callId = added.callId;
          if (added.replayed) reply.header('Idempotency-Replayed', 'true');
          return presentControlled(id, added);
        },
      );
    }
  };
