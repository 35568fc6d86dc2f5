import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../platform/caller.ts';
import { refused } from '../../platform/schemas.ts';
import { forAdmins, forUsers } from '../../platform/scopes.ts';
import {
  eventPage,
  feedQuery,
  reconciled,
  reconcileQuery,
  streamHeaders,
  streamQuery,
} from './event.schemas.ts';
import { awaitEvents } from './read-events.ts';
import { type ReconcileDeps, reconcile } from './reconcile.ts';
import { createStreamSlots, type StreamDeps, streamBudget, streamEvents } from './stream-events.ts';

interface EventRouteDeps extends StreamDeps, ReconcileDeps {
  /** Maximum duration of a stream, in seconds. */
  eventStreamSeconds: number;
}

const tags = ['Events'];
const usualLimit = 100;

const whoSeesWhat =
  'An ADMIN sees the events of the account, whose numbers have no gaps. A USER sees the events of their own calls, or with the permission `supervision` of all calls, so the numbers have gaps.';

export const eventRoutes =
  (deps: EventRouteDeps): FastifyPluginAsyncZod =>
  async (app) => {
    const slots = createStreamSlots();
    const closing = new AbortController();
    app.addHook('preClose', async () => closing.abort());

    app.get(
      '/events',
      {
        config: { access: forUsers('webhooks') },
        schema: {
          tags,
          operationId: 'listEvents',
          summary: 'Read the event log',
          description: `Returns events in order of their numbers: request with \`after\`, continue with \`meta.nextAfter\`, and no event is missed. With \`wait\`, an empty response is delayed until an event arrives. Events are kept for 90 days unless the operator configures otherwise. ${whoSeesWhat}`,
          'x-clauses': ['HOOK-21', 'HOOK-32', 'PERM-06'],
          querystring: feedQuery,
          response: { 200: eventPage },
        },
      },
      async (request, reply) => {
        const { after = 0, limit = usualLimit, wait = 0 } = request.query;
        const asked = { after, limit, waitMs: wait * 1000 };
        const page = await awaitEvents(deps, callerOf(request), asked, goneOr(closing.signal, reply));
        return { data: page.events, meta: { nextAfter: page.reached } };
      },
    );

    app.get(
      '/events/stream',
      {
        config: { access: forUsers('webhooks') },
        schema: {
          tags,
          operationId: 'streamEvents',
          summary: 'Stream the event log',
          description: `Server-sent events: \`id\` is the number of the event, \`event\` its type and \`data\` the item of \`GET /events\`. Resume a lost connection with \`Last-Event-ID\`. A comment is sent every 15 seconds; a stream whose token has expired or was revoked ends then. A user has at most 5 concurrent streams per node. While calls run, the stream also sends \`channel-dialing\` (the extension answered, and the destination is dialled) and \`channel-alerting\` (the destination rings), which are not in the log: they have no \`id\`, their \`sequence\` is that of the last event, and they are not sent again. So is \`availability-changed\`: the availability of a user has changed (\`GET /availability\`). ${whoSeesWhat}`,
          'x-clauses': ['HOOK-21', 'CALL-63', 'CALL-90', 'PERM-06', 'PRESENCE-06', 'TOKEN-24'],
          querystring: streamQuery,
          headers: streamHeaders,
          response: {
            200: { description: 'The stream.', content: { 'text/event-stream': { schema: z.string() } } },
            409: refused('`ACCOUNT_LIMIT`: the account has as many streams as it may have.'),
            429: refused('`CAPACITY_EXCEEDED`: the user already has 5 streams; or `RATE_LIMITED`.'),
          },
        },
      },
      async (request, reply) => {
        const caller = callerOf(request);
        const signal = goneOr(closing.signal, reply);
        slots.take(caller, await streamBudget(deps, caller), signal);
        const { after, seconds = deps.eventStreamSeconds } = request.query;
        const lastsMs = Math.min(seconds, deps.eventStreamSeconds) * 1000;
        const asked = { after: request.headers['last-event-id'] ?? after, lastsMs };
        const texts = await streamEvents(deps, caller, asked, signal);
        return (
          reply
            .type('text/event-stream; charset=utf-8')
            // `Connection: close`, because the connection cannot be reused afterwards and would delay shutdown.
            .headers({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no', Connection: 'close' })
            .send(Readable.from(texts, { objectMode: false }) as never)
        );
      },
    );

    app.get(
      '/events/reconcile',
      {
        config: { access: forAdmins('webhooks') },
        schema: {
          tags,
          operationId: 'reconcileEvents',
          summary: 'Reconcile calls, events, deliveries and ledger',
          description:
            'Compares, in a window of at most 31 days, calls by their start, events by their time, their deliveries, and the ledger entries of calls. Every difference is listed: a missing or repeated event of a call, an event without a number, a gap in the numbers, a missing or undelivered delivery, a price that differs from the ledger, an entry without its call. A delivery is expected if the integration is enabled, matches, and was not changed since the event.',
          'x-clauses': ['HOOK-20', 'HOOK-21'],
          querystring: reconcileQuery,
          response: { 200: reconciled },
        },
      },
      async (request) => await reconcile(deps, callerOf(request).accountId, request.query),
    );
  };

/** Returns a signal that aborts when the client disconnects or the process stops. */
function goneOr(closing: AbortSignal, reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return AbortSignal.any([gone.signal, closing]);
}
