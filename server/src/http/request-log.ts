import type { FastifyInstance } from 'fastify';

/** Is told of every answer, after it was sent. */
export type RequestWatch = (answered: {
  method: string;
  route: string;
  status: number;
  durationMs: number;
  requestId: string;
  traceparent: string | undefined;
  /** The call that the request was about. */
  callId: string | undefined;
}) => void;

/** One wide line a request, with everything needed to follow it, and its figures. */
export function logRequests(app: FastifyInstance, watch: RequestWatch): void {
  app.decorateRequest('callId', undefined);
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { traceparent } = request.headers;
    watch({
      method: request.method,
      route,
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
      requestId: request.id,
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
      callId: request.callId,
    });
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
