import type { FastifyInstance } from 'fastify';

/** Called after every response was sent. */
export type RequestObserver = (answered: {
  method: string;
  route: string;
  status: number;
  durationMs: number;
  requestId: string;
  traceparent: string | undefined;
  callId: string | undefined;
  /** The budget for which the request was refused. */
  budget: string | undefined;
}) => void;

/** Writes one wide log line per request and records its metrics. */
export function logRequests(app: FastifyInstance, observe: RequestObserver): void {
  app.decorateRequest('callId', undefined);
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { traceparent } = request.headers;
    observe({
      method: request.method,
      route,
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
      requestId: request.id,
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
      callId: request.callId,
      budget: request.refusal?.budget,
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

/** Hides path segments longer than any id, because clients sometimes put tokens or signed texts there. */
const harmlessPath = (url: string): string =>
  (url.split('?', 1)[0] ?? '').replaceAll(/[\w.~%-]{40,}/g, '[redacted]').slice(0, 200);
