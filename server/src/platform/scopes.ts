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
  /** Whether the user must have proved their identity in the last minutes. */
  needsProof?: true;
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

/** Asks for a recent proof of the user's identity. */
export const afterProof = (guard: Guard): Guard => ({ ...guard, needsProof: true });

/** Also admits console sessions that lack the second factor their account requires. */
export const duringSetUp = (guard: Guard): Guard => ({ ...guard, servesSetUp: true });

/** A proof of identity counts for 10 minutes. */
const proofLifetimeMs = 10 * 60 * 1000;

export const isProofRecent = (provedAt: Date | null, at: Date): boolean =>
  provedAt !== null && at.getTime() - provedAt.getTime() <= proofLifetimeMs;

/** Returns whether a token with these scopes may do it; null means that the token has no scopes and may do everything. */
export function allowsScope(granted: readonly Scope[] | null, needed: NeededScope): boolean {
  if (granted === null || needed === 'any') return true;
  return needed !== 'full' && granted.includes(needed);
}
