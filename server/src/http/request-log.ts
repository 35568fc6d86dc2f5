import type { FastifyInstance } from 'fastify';
import type { HttpMetrics } from './metrics.ts';

/** One wide line a request, with everything needed to follow it, and its figures. */
export function logRequests(app: FastifyInstance, metrics: HttpMetrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    metrics.observe(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    request.log.info(
      {
        method: request.method,
        route,
        path: harmlessPath(request.url),
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        address: request.clientAddress,
        account: request.caller?.accountId,
        user: request.caller?.uuid,
        limitRemaining: request.usage?.remaining,
        agent: request.headers['user-agent']?.slice(0, 200),
      },
      'request',
    );
    done();
  });
}

/** Tokens and signed texts do not belong into a path, yet somebody puts them there: longer than any id, they are left out. */
const harmlessPath = (url: string): string =>
  (url.split('?', 1)[0] ?? '').replaceAll(/[\w.~%-]{40,}/g, '[redacted]').slice(0, 200);
