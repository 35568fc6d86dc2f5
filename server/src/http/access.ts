import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AuthenticateDeps, authenticate, cookieToken } from '../contexts/access/index.ts';
import type { Caller } from '../platform/caller.ts';
import { invalidToken, Refusal } from '../platform/errors.ts';
import { allowsScope, type Guard, isProofRecent, needsProof } from '../platform/scopes.ts';
import { versionPrefix } from './version.ts';

/** Denies by default: a route that does not declare which tokens it admits prevents the start. */
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
  if (!token) return;
  const { caller, isAllowed } = (await authenticate(deps, token, request.origin, request.ip)) ?? {};
  if (isAllowed) request.caller = caller;
  else request.outsider = caller;
}

export function refuseUnauthenticated(request: FastifyRequest): void {
  if (request.is404 || request.routeOptions.config.access === 'PUBLIC' || request.caller) return;
  if (request.outsider)
    throw new Refusal('TOKEN_ADDRESS_NOT_ALLOWED', 'This token must not be used from your address.');
  throw tokenOf(request)
    ? invalidToken()
    : new Refusal('AUTHORIZATION_REQUIRED', 'An access token is required in the Authorization header.');
}

/**
 * Refuses a caller that the route does not admit: by role and permission, then by scope, then a service token where a user
 * is needed,
 * then a session without the second factor that its account requires, then without a recent proof of identity.
 */
export function refuseForbidden(request: FastifyRequest, at: Date): void {
  const { access } = request.routeOptions.config;
  if (request.is404 || access === undefined || access === 'PUBLIC' || !request.caller) return;
  const { isService, scopes } = request.caller;
  refuseByRole(access, request.caller);
  if (!allowsScope(scopes, access.scope)) throw new Refusal('TOKEN_SCOPE_MISSING', scopeMessage(access));
  if (access.needsUser && isService)
    throw new Refusal(
      'ACCESS_DENIED',
      'This concerns a user. Use the token of a user instead of a service token.',
    );
  if (request.caller.lacksFactor && !access.servesSetUp)
    throw new Refusal(
      'SECOND_FACTOR_SETUP_REQUIRED',
      'Your account requires a second factor of ADMINs. Set one up first.',
    );
  const isAsked = needsProof(access, request.caller.isConsoleSession, request.body);
  if (isAsked && !isProofRecent(request.caller.provedAt, at))
    throw new Refusal('PROOF_REQUIRED', 'Prove your identity with `POST /users/me/proof`, then try again.');
}

function refuseByRole({ role, permission }: Guard, caller: Caller): void {
  if (caller.role === 'ADMIN') return;
  if (permission !== undefined && !caller.permissions[permission]) {
    const needed = `This requires the role ADMIN or the permission \`${permission}\`. Ask an ADMIN for it.`;
    throw new Refusal('ACCESS_DENIED', needed);
  }
  if (permission === undefined && role === 'ADMIN')
    throw new Refusal('ACCESS_DENIED', 'This requires the role ADMIN.');
}

const scopeMessage = ({ scope }: Guard): string =>
  scope === 'full'
    ? 'This requires a token without scopes.'
    : `The token lacks the scope \`${scope}\`. Create a token with it.`;

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
