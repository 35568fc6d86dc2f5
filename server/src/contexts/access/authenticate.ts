import type { Caller, Origin } from '../../platform/caller.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/time.ts';
import { findToken } from './access.store.ts';
import { hashToken } from './token.ts';
import type { TokenUse } from './token-use.ts';

export interface AuthenticateDeps {
  db: Database;
  clock: Clock;
  tokenUse: TokenUse;
}

/** Returns the caller of a token; undefined if it is unknown, expired or revoked. */
export async function authenticate(
  deps: AuthenticateDeps,
  token: string,
  origin: Origin,
): Promise<Caller | undefined> {
  return await findCaller(deps, hashToken(token), origin);
}

/** Reads the caller again; undefined if the token has been revoked or has expired. */
export const refreshCaller = (deps: AuthenticateDeps, caller: Caller): Promise<Caller | undefined> =>
  findCaller(deps, caller.tokenHash, caller.origin);

async function findCaller(
  deps: AuthenticateDeps,
  tokenHash: Buffer,
  origin: Origin,
): Promise<Caller | undefined> {
  const now = deps.clock.now();
  const owner = await findToken(deps.db, tokenHash, now);
  if (!owner) return undefined;
  deps.tokenUse.note(tokenHash, now, owner.last_used_at);
  return {
    accountId: owner.account_id,
    userId: owner.user_id,
    uuid: owner.uuid,
    name: owner.name,
    email: owner.email,
    phone: owner.phone,
    role: owner.role,
    locale: owner.locale,
    emailVerified: owner.email_verified,
    createdAt: owner.created_at,
    updatedAt: owner.updated_at,
    lastLoginAt: owner.last_login_at,
    requestHandling: owner.request_handling,
    tokenHash,
    origin,
  };
}
