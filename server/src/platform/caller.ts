import { Refusal } from './errors.ts';
import type { Permissions } from './permissions.ts';
import type { Scope } from './scopes.ts';

export const roles = ['ADMIN', 'USER'] as const;
export type Role = (typeof roles)[number];

/** Whether unknown fields of a request are refused or ignored. */
export const handlings = ['strict', 'lenient'] as const;
export type Handling = (typeof handlings)[number];

/** Where a request came from. */
export interface Origin {
  address: string;
  requestId: string;
}

/**
 * The user of a request's token, or the service token itself, read when the token was checked, and the request's origin.
 * A service token has a number of its own from the numbers of users, and acts as ADMIN within its scopes.
 */
export interface Caller {
  accountId: number;
  userId: number;
  uuid: string;
  name: string;
  email: string;
  phone: string;
  role: Role;
  locale: string;
  emailVerified: boolean;
  createdAt: Date;
  updatedAt: Date;
  lastLoginAt: Date | null;
  /** The handling of requests that the account has chosen. */
  requestHandling: Handling;
  tokenHash: Buffer;
  isService: boolean;
  /** Null for a token without scopes, which may do everything that its user may. */
  scopes: readonly Scope[] | null;
  /** Everything for ADMINs and service tokens. */
  permissions: Permissions;
  isConsoleSession: boolean;
  /** When the user last proved their identity with this token; a login is a proof. */
  provedAt: Date | null;
  /** Whether the account requires a second factor that the user of this console session does not have. */
  lacksFactor: boolean;
  origin: Origin;
}

/** Returns the caller, for routes whose access level guarantees one. */
export function callerOf(request: { caller: Caller | undefined }): Caller {
  if (!request.caller) throw new Refusal('AUTHORIZATION_REQUIRED', 'An access token is required.');
  return request.caller;
}
