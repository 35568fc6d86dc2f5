import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { notFound, Refusal } from '../platform/errors.ts';
import type { ConsolePages } from './console.ts';
import { problemOf, refusalOf, statusOf } from './problems.ts';
import { type ApiPaths, allowedMethods } from './routing/api-paths.ts';

/** Sets the error handlers. Unknown paths are pages of the console if it is installed and a browser requests them. */
export function answerErrors(app: FastifyInstance, paths: ApiPaths, pages?: ConsolePages): void {
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = refusalOf(error);
    if (refusal.code === 'INTERNAL_ERROR')
      request.log.error({ err: refusal.cause ?? error }, 'request failed');
    // An expected failure that repeats with every request while it lasts: log only the reason.
    else if (refusal.cause instanceof Error)
      request.log.warn({ reason: refusal.cause.message }, 'request not served');
    return await send(reply, request, refusal);
  });
  app.setNotFoundHandler(async (request, reply) => {
    const path = paths.find(request.url);
    if (path) return await answerOtherMethod(reply, request, allowedMethods(path));
    // Unknown paths are pages of the console if it is installed and a browser requests them.
    return pages?.isPage(request) ? pages.send(reply) : await send(reply, request, notFound());
  });
}

async function answerOtherMethod(
  reply: FastifyReply,
  request: FastifyRequest,
  allowed: string,
): Promise<FastifyReply> {
  reply.header('Allow', allowed);
  if (request.method === 'OPTIONS') return reply.code(204).send();
  const message = `${request.method} is not allowed here. Use one of: ${allowed}.`;
  return await send(reply, request, new Refusal('METHOD_NOT_ALLOWED', message));
}

async function send(reply: FastifyReply, request: FastifyRequest, refusal: Refusal): Promise<FastifyReply> {
  const status = statusOf(refusal.code);
  const waitSeconds = refusal.retryAfterSeconds ?? (status === 429 ? request.usage?.resetSeconds : undefined);
  if (waitSeconds !== undefined) reply.header('Retry-After', waitSeconds);
  // A refusal with its own waiting time, such as a login hold-off, reports that time instead of the window's.
  if (status === 429 && refusal.retryAfterSeconds !== undefined && request.usage) {
    request.usage = { ...request.usage, remaining: 0, resetSeconds: refusal.retryAfterSeconds };
  }
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(problemOf(refusal));
}
