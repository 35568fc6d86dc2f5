import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { callerOf } from '../../platform/caller.ts';
import { refused } from '../../platform/schemas.ts';
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
import { createStreamSlots, type StreamDeps, streamEvents } from './stream-events.ts';

export interface EventRouteDeps extends StreamDeps, ReconcileDeps {
  /** The longest time that a stream lasts. */
  eventStreamSeconds: number;
}

const tags = ['Events'];
const usualLimit = 100;

const whoSeesWhat =
  'An ADMIN sees the events of the account, whose numbers have no gaps. A USER sees those of its own calls only, so that its numbers have gaps.';

export const eventRoutes =
  (deps: EventRouteDeps): FastifyPluginAsyncZod =>
  async (app) => {
    const slots = createStreamSlots();
    const closing = new AbortController();
    app.addHook('preClose', async () => closing.abort());

    app.get(
      '/events',
      {
        config: { access: 'USER' },
        schema: {
          tags,
          summary: 'Read the event log',
          description: `Everything that happened, in the order of its numbers: ask with \`after\`, go on with \`meta.nextAfter\`, and nothing is missed. With \`wait\` an empty answer is held back until something comes. Events are kept for 90 days unless the operator decides otherwise. ${whoSeesWhat}`,
          'x-clauses': ['HOOK-21'],
          querystring: feedQuery,
          response: { 200: eventPage },
        },
      },
      async (request, reply) => {
        const { after = 0, limit = usualLimit, wait = 0 } = request.query;
        const asked = { after, most: limit, waitMs: wait * 1000 };
        const page = await awaitEvents(deps, callerOf(request), asked, goneOr(closing.signal, reply));
        return { data: page.events, meta: { nextAfter: page.reached } };
      },
    );

    app.get(
      '/events/stream',
      {
        config: { access: 'USER' },
        schema: {
          tags,
          summary: 'Follow the event log',
          description: `Server-sent events: \`id\` is the number of the event, \`event\` its type and \`data\` the item of \`GET /events\`. A lost connection is resumed with \`Last-Event-ID\`. A comment comes every 15 seconds; then a stream whose token has ended ends, too. A user has at most 5 streams at a time on each node. ${whoSeesWhat}`,
          'x-clauses': ['HOOK-21'],
          querystring: streamQuery,
          headers: streamHeaders,
          response: {
            200: { description: 'The stream.', content: { 'text/event-stream': { schema: z.string() } } },
            429: refused('`CAPACITY_EXCEEDED`: the user has 5 streams already; or `RATE_LIMITED`.'),
          },
        },
      },
      async (request, reply) => {
        const caller = callerOf(request);
        const signal = goneOr(closing.signal, reply);
        slots.take(caller.userId, signal);
        const { after, seconds = deps.eventStreamSeconds } = request.query;
        const lastsMs = Math.min(seconds, deps.eventStreamSeconds) * 1000;
        const asked = { after: request.headers['last-event-id'] ?? after, lastsMs };
        const texts = await streamEvents(deps, caller, asked, signal);
        return (
          reply
            .type('text/event-stream; charset=utf-8')
            // Its connection is of no use to others afterwards, and would keep a stopping process waiting.
            .headers({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no', Connection: 'close' })
            .send(Readable.from(texts, { objectMode: false }) as never)
        );
      },
    );

    app.get(
      '/events/reconcile',
      {
        config: { access: 'ADMIN' },
        schema: {
          tags,
          summary: 'Count calls, events, deliveries and money against each other',
          description:
            'Of a window of at most 31 days: calls by their start, events by their time, their deliveries, and the ledger entries of calls. Every difference is named: an event that a call owes or told twice, an event or a number that is missing, a delivery that is missing or has not arrived, a price that is not the one booked, an entry without its call. A delivery is expected where the integration is enabled, matches, and has not been changed since the event.',
          'x-clauses': ['HOOK-20', 'HOOK-21'],
          querystring: reconcileQuery,
          response: { 200: reconciled },
        },
      },
      async (request) => await reconcile(deps, callerOf(request).accountId, request.query),
    );
  };

/** Whoever waits is let go when the client has gone and when the process stops. */
function goneOr(closing: AbortSignal, reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return AbortSignal.any([gone.signal, closing]);
}
