import type { Caller } from '../../platform/caller.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/time.ts';
import { cookieToken } from './console-session.rules.ts';
import { logOut } from './revoke-token.ts';
import { hashToken } from './token.ts';

interface LoginRequest {
  headers: Parameters<typeof cookieToken>[0];
  caller: Caller | undefined;
}

/** Revokes the token of the cookie that a login replaces, which is no longer used. */
export async function replaceSession(
  deps: { db: Database; clock: Clock },
  { headers, caller }: LoginRequest,
): Promise<void> {
  const former = cookieToken(headers);
  if (former && caller?.tokenHash.equals(hashToken(former))) await logOut(deps, caller);
}
