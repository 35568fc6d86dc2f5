import type { Caller, Origin } from '../../platform/caller.ts';
import type { Database } from '../../platform/db/database.ts';
import { withinNetworks } from '../../platform/network.ts';
import { everyPermission, type Permissions } from '../../platform/permissions.ts';
import type { Clock } from '../../platform/time.ts';
import { type FoundToken, findToken } from './access.store.ts';
import { hashToken } from './token.ts';
import type { TokenUse } from './token-use.ts';

export interface AuthenticateDeps {
  db: Database;
  clock: Clock;
  tokenUse: TokenUse;
}

interface Authenticated {
  caller: Caller;
  /** Whether the token may be used from the address of the request. */
  isAllowed: boolean;
}

/**
 * Returns the caller of a token; undefined if it is unknown, expired or revoked. `address` is the client's own, while
 * the origin groups IPv6 addresses.
 */
export async function authenticate(
  deps: AuthenticateDeps,
  token: string,
  origin: Origin,
  address: string,
): Promise<Authenticated | undefined> {
  const tokenHash = hashToken(token);
  const now = deps.clock.now();
  const found = await findToken(deps.db, tokenHash, now);
  if (!found) return undefined;
  const { allowed_addresses: allowed } = found;
  const isAllowed = allowed === null || withinNetworks(allowed)(address);
  if (isAllowed) deps.tokenUse.note(tokenHash, now, found.last_used_at);
  return { caller: callerFrom(found, tokenHash, origin), isAllowed };
}

/** Reads the caller again; undefined if the token has been revoked or has expired. */
export async function refreshCaller(deps: AuthenticateDeps, caller: Caller): Promise<Caller | undefined> {
  const { tokenHash, origin } = caller;
  const now = deps.clock.now();
  const found = await findToken(deps.db, tokenHash, now);
  if (!found) return undefined;
  deps.tokenUse.note(tokenHash, now, found.last_used_at);
  return callerFrom(found, tokenHash, origin);
}

const callerFrom = (found: FoundToken, tokenHash: Buffer, origin: Origin): Caller => ({
  accountId: found.account_id,
  userId: found.user_id,
  uuid: found.uuid,
  name: found.name,
  email: found.email,
  phone: found.phone,
  role: found.role,
  locale: found.locale,
  emailVerified: found.email_verified,
  createdAt: found.created_at,
  updatedAt: found.updated_at,
  lastLoginAt: found.last_login_at,
  requestHandling: found.request_handling,
  tokenHash,
  isService: found.is_service,
  scopes: found.scopes,
  permissions: found.role === 'ADMIN' ? everyPermission : permissionsFrom(found),
  isConsoleSession: found.is_console_session,
  provedAt: found.proved_at,
  lacksFactor: found.lacks_factor,
  origin,
});

const permissionsFrom = (found: FoundToken): Permissions => ({
  calls: found.sees_calls,
  recordings: found.hears_recordings,
  money: found.uses_money ?? false,
  webhooks: found.uses_webhooks ?? false,
  supervision: found.supervises ?? false,
});
