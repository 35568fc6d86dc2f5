import type { RoutePermission } from './permissions.ts';

/** What a token can be limited to. */
export const scopes = [
  'calls:place',
  'calls:read',
  'recordings',
  'extensions',
  'users',
  'webhooks',
  'money',
  'account',
] as const;
export type Scope = (typeof scopes)[number];

/**
 * The scope that a token with scopes needs for a route: `any` if every token may use it, `full` if only tokens without
 * scopes may.
 */
export type NeededScope = Scope | 'any' | 'full';

/** Which tokens a route admits. */
export interface Guard {
  role: 'ADMIN' | 'USER';
  scope: NeededScope;
  /** Whether the route concerns the user of the token, so that a service token cannot use it. */
  needsUser: boolean;
  /** What a USER needs besides: with it, a route for ADMINs admits a USER too, and a route for USERs no USER without it. */
  permission?: RoutePermission;
  /** Whose users must have proved their identity in the last minutes: those of all tokens, or of console sessions. */
  proof?: 'all' | 'console';
  /** The fields of the body that need the proof; if undefined, every request does. */
  provenFields?: readonly string[];
  /** Whether the route serves a console session that lacks the second factor its account requires. */
  servesSetUp?: true;
}

/** PUBLIC needs no token. */
export type Access = 'PUBLIC' | Guard;

/** Admits every user, and service tokens. */
export const forUsers = (scope: NeededScope): Guard => ({ role: 'USER', scope, needsUser: false });

/** Admits ADMINs, and service tokens. */
export const forAdmins = (scope: NeededScope): Guard => ({ role: 'ADMIN', scope, needsUser: false });

/** Admits every user, but no service token. */
export const forPersons = (scope: NeededScope): Guard => ({ role: 'USER', scope, needsUser: true });

/** Adds the permission that a USER needs for the route. */
export const permitted = (permission: RoutePermission, guard: Guard): Guard => ({ ...guard, permission });

/** Asks for a recent proof of the user's identity. */
export const afterProof = (guard: Guard): Guard => ({ ...guard, proof: 'all' });

/**
 * Asks console sessions for a recent proof of the user's identity, if the body has one of the fields. Other tokens are
 * limited by their scopes.
 */
export const afterConsoleProof = (guard: Guard, provenFields?: readonly string[]): Guard => ({
  ...guard,
  proof: 'console',
  ...(provenFields ? { provenFields } : {}),
});

/** Also admits console sessions that lack the second factor their account requires. */
export const duringSetUp = (guard: Guard): Guard => ({ ...guard, servesSetUp: true });

/** A proof of identity counts for 10 minutes. */
const proofLifetimeMs = 10 * 60 * 1000;

/** Whether a request needs a recent proof. */
export function needsProof(guard: Guard, isConsoleSession: boolean, body: unknown): boolean {
  if (guard.proof === undefined || (guard.proof === 'console' && !isConsoleSession)) return false;
  if (guard.provenFields === undefined) return true;
  return (
    typeof body === 'object' && body !== null && guard.provenFields.some((name) => Object.hasOwn(body, name))
  );
}

export const isProofRecent = (provedAt: Date | null, at: Date): boolean =>
  provedAt !== null && at.getTime() - provedAt.getTime() <= proofLifetimeMs;

/** Returns whether a token with these scopes may do it; null means that the token has no scopes and may do everything. */
export function allowsScope(granted: readonly Scope[] | null, needed: NeededScope): boolean {
  if (granted === null || needed === 'any') return true;
  return needed !== 'full' && granted.includes(needed);
}
