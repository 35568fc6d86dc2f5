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

/** Returns whether a token with these scopes may do it; null means that the token has no scopes and may do everything. */
export function allowsScope(granted: readonly Scope[] | null, needed: NeededScope): boolean {
  if (granted === null || needed === 'any') return true;
  return needed !== 'full' && granted.includes(needed);
}
