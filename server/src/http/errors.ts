import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound, type Refusal } from '../platform/errors.ts';
import type { ConsolePages } from './console.ts';
import { problemOf, refusalOf, statusOf } from './problems.ts';

/** Paths that nobody serves are pages of the console where it is there and a browser asks. */
export function answerErrors(app: FastifyInstance, pages?: ConsolePages): void {
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = refusalOf(error);
    if (refusal.code === 'INTERNAL_ERROR')
      request.log.error({ err: refusal.cause ?? error }, 'request failed');
    // Foreseen, and told by every request while it lasts: the reason is enough.
    else if (refusal.cause instanceof Error)
      request.log.warn({ reason: refusal.cause.message }, 'request not served');
    return await send(reply, request, refusal);
  });
  app.setNotFoundHandler(async (request, reply) =>
    pages?.isPage(request) ? pages.send(reply) : await send(reply, request, notFound()),
  );
}

async function send(reply: FastifyReply, request: FastifyRequest, refusal: Refusal): Promise<FastifyReply> {
  const status = statusOf(refusal.code);
  const waitSeconds = refusal.retryAfterSeconds ?? (status === 429 ? request.usage?.resetSeconds : undefined);
  if (waitSeconds !== undefined) reply.header('Retry-After', waitSeconds);
  // A refusal with a wait of its own, such as a held-off login, tells that wait and not the window's.
  if (status === 429 && refusal.retryAfterSeconds !== undefined && request.usage) {
    request.usage = { ...request.usage, remaining: 0, resetSeconds: refusal.retryAfterSeconds };
  }
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(problemOf(refusal));
}
