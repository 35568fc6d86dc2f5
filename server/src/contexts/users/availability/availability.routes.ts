import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { callerOf } from '../../../platform/caller.ts';
import { validField } from '../../../platform/schemas.ts';
import { forPersons, forUsers } from '../../../platform/scopes.ts';
import { faultsOfAvailability } from './availability.rules.ts';
import {
  availability,
  newAvailability,
  presencePage,
  presenceQuery,
  presentAvailability,
  presentPresence,
  reasonText,
  statusText,
  usualLimit,
} from './availability.schemas.ts';
import { listPresence } from './list-presence.ts';
import { type AvailabilityDeps, setAvailability } from './set-availability.ts';

export const availabilityRoutes =
  (deps: AvailabilityDeps): FastifyPluginAsyncZod =>
  async (app) => {
    app.put(
      '/users/me/availability',
      {
        config: {
          access: forPersons('calls:place'),
          otherFaults: ({ body }) =>
            faultsOfAvailability({
              status: validField(body, 'status', statusText),
              reason: validField(body, 'reason', reasonText),
            }),
        },
        schema: {
          tags: ['Users'],
          operationId: 'setAvailability',
          summary: "Set the caller's availability",
          description:
            'While the user is `away`, calls from outside and from other extensions do not ring the extensions of the user, and their callers get SIP status 480; with `do_not_disturb` they get 486. Calls that the user makes are not affected. A change is sent to event streams as `availability-changed`; the same values again change nothing.',
          'x-clauses': [
            'PRESENCE-01',
            'PRESENCE-02',
            'PRESENCE-03',
            'PRESENCE-04',
            'PRESENCE-05',
            'PRESENCE-06',
          ],
          body: newAvailability,
          response: { 200: availability },
        },
      },
      async (request) => presentAvailability(await setAvailability(deps, callerOf(request), request.body)),
    );

    app.get(
      '/availability',
      {
        config: { access: forUsers('calls:read') },
        schema: {
          tags: ['Users'],
          operationId: 'listAvailability',
          summary: 'Read who is available and who is in a call',
          description:
            'Returns the availability, phones and running calls of people, in the order in which they were created. An ADMIN and a USER with the permission `supervision` get everyone of the account, another USER only themselves.',
          'x-clauses': ['PRESENCE-07', 'PRESENCE-08', 'PRESENCE-09'],
          querystring: presenceQuery,
          response: { 200: presencePage },
        },
      },
      async (request) => {
        const { after, limit = usualLimit } = request.query;
        const { people, nextAfter } = await listPresence(deps, callerOf(request), { after, limit });
        return { data: people.map(presentPresence), meta: { nextAfter } };
      },
    );
  };
