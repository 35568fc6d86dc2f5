import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../../platform/caller.ts';
import { refused } from '../../../platform/schemas.ts';
import { forUsers } from '../../../platform/scopes.ts';
import { command as commandBody, controlledCall, presentControlled } from './control.schemas.ts';
import { type Command, type ControlCallDeps, controlCall } from './control-call.ts';

const tags = ['Calls'];

const params = z.object({
  id: z.string().meta({
    description: 'The id of the call, or the id that `POST /dialer` returned for it.',
    'x-refers-to': 'running-call',
    examples: ['0192f0c5-7c5e-7a51-8c1d-3f6c6d3e8c52'],
  }),
});

const refusals = {
  403: refused(
    '`ACCESS_DENIED`: the call belongs to another user, or only a supervisor can act for this party.',
  ),
  409: refused('`CALL_ENDED` or `CALL_NOT_ANSWERED`.'),
  503: refused('`SERVICE_UNAVAILABLE` with `Retry-After`: the media node of the call cannot control calls.'),
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
] as const satisfies { command: Command; [more: string]: unknown }[];

export const controlRoutes =
  (deps: ControlCallDeps): FastifyPluginAsyncZod =>
  async (app) => {
    for (const { command, operationId, summary, description, clauses } of commands) {
      app.post(
        `/calls/:id/${command}`,
        {
          config: { access: forUsers('calls:place') },
          schema: {
            tags,
            operationId,
            summary,
            description,
            'x-clauses': [...clauses],
            params,
            body: commandBody,
            response: { 200: controlledCall, ...refusals },
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
  };
