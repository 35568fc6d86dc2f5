import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AuthenticateDeps, authenticate, cookieToken } from '../contexts/access/index.ts';
import { invalidToken, Refusal } from '../platform/errors.ts';
import { versionPrefix } from './version.ts';

/** PUBLIC needs no token, USER any valid token, ADMIN the token of an ADMIN. */
export type Access = 'PUBLIC' | 'USER' | 'ADMIN';

/** Denies by default: a route that does not declare its access level prevents the start. */
export function requireDeclaredAccess(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!route.url.startsWith(versionPrefix)) route.config = { ...route.config, access: 'PUBLIC' };
    if (!route.config?.access)
      throw new Error(`${route.method} ${route.url} does not declare its access level.`);
  });
}

/** Identifies the caller. Authorization is checked later, after the body has been read. */
export async function identify(deps: AuthenticateDeps, request: FastifyRequest): Promise<void> {
  const token = tokenOf(request);
  if (token) request.caller = await authenticate(deps, token, request.origin);
}

export function refuseUnauthenticated(request: FastifyRequest): void {
  if (request.is404 || request.routeOptions.config.access === 'PUBLIC' || request.caller) return;
  throw tokenOf(request)
    ? invalidToken()
    : new Refusal('AUTHORIZATION_REQUIRED', 'An access token is required in the Authorization header.');
}

export function refuseWrongRole(request: FastifyRequest): void {
  if (request.routeOptions.config.access === 'ADMIN' && request.caller?.role !== 'ADMIN') {
    throw new Refusal('ACCESS_DENIED', 'This requires the role ADMIN.');
  }
}

const longestToken = 512;

/**
 * Reads the token from `Authorization: <token>`, `Authorization: Bearer <token>` or `X-Access-Token: <token>`, or from
 * the console's cookie on requests of the console; never from the query string.
 */
const tokenOf = (request: FastifyRequest): string | undefined =>
  (headerToken(request) || cookieToken(request.headers))?.slice(0, longestToken);

function headerToken({ headers }: FastifyRequest): string {
  const { authorization, 'x-access-token': accessToken } = headers;
  return (
    authorization?.replace(/^Bearer(?: +|$)/i, '').trim() ||
    (typeof accessToken === 'string' ? accessToken.trim() : '')
  );
}

/** Whether the request is authenticated by the cookie of a console session. */
export const isConsoleRequest = (request: FastifyRequest): boolean =>
  headerToken(request) === '' && cookieToken(request.headers) !== undefined;
