import type { FastifyReply, FastifyRequest } from 'fastify';
import { versionPrefix } from '../version.ts';
import type { ApiPaths } from './api-paths.ts';

/** Headers that the API reads. `X-Disca-Console`, which makes the console's cookie valid, must never be among them. */
const requestHeaders = [
  ...['Accept', 'Accept-Language', 'Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match'],
  ...['If-Range', 'Last-Event-ID', 'Prefer', 'Range', 'traceparent', 'X-Access-Token', 'X-Request-Id'],
];

/** Headers that the API sends, except those that every page may read. */
const responseHeaders = [
  ...['Accept-Ranges', 'Allow', 'Content-Disposition', 'Content-Range', 'Deprecation', 'Disca-Ignored'],
  ...['ETag', 'Idempotency-Replayed', 'Link', 'Location', 'Preference-Applied', 'RateLimit-Limit'],
  ...['RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After', 'Sunset', 'X-Request-Id', 'X-Total-Count'],
  'X-Total-Estimated',
];

/** The longest time for which Chromium keeps a preflight, in seconds. */
const preflightSeconds = 7200;

const preflightHeaders = {
  'Access-Control-Allow-Headers': requestHeaders.join(', '),
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Max-Age': preflightSeconds,
};

const exposedHeaders = responseHeaders.join(', ');

export interface CrossOrigin {
  isPreflight(request: FastifyRequest): boolean;
  /** Sets the headers that let pages of other origins read the response, errors included. */
  allow(request: FastifyRequest, reply: FastifyReply): void;
}

/**
 * Pages of every origin may use the API with a token, which no browser sends automatically. Credentials are never
 * allowed, and the console's session and requests of the console get no headers at all.
 */
export function createCrossOrigin(paths: ApiPaths): CrossOrigin {
  function isOpen(request: FastifyRequest): boolean {
    const path = request.routeOptions.url ?? paths.find(request.url)?.pattern ?? request.url;
    return (
      path.startsWith(versionPrefix) &&
      !path.startsWith(`${versionPrefix}/console`) &&
      request.headers['x-disca-console'] === undefined
    );
  }
  const isPreflight = (request: FastifyRequest): boolean =>
    request.method === 'OPTIONS' &&
    request.headers.origin !== undefined &&
    request.headers['access-control-request-method'] !== undefined &&
    isOpen(request);
  return {
    isPreflight,
    allow(request, reply) {
      if (!isOpen(request)) return;
      reply.header('Access-Control-Allow-Origin', '*');
      if (isPreflight(request)) reply.headers(preflightHeaders);
      else reply.header('Access-Control-Expose-Headers', exposedHeaders);
    },
  };
}
