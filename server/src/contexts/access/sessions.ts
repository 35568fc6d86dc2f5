import type { Caller } from '../../platform/caller.ts';
import { type Database, inAccount } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import type { Clock } from '../../platform/time.ts';
import { lockUser } from './access.store.ts';
import { recordRevocation } from './revoke-token.ts';
import { deleteSessions, selectSessions } from './session.store.ts';
import { isPrefix } from './token.rules.ts';

interface SessionDeps {
  db: Database;
  clock: Clock;
}

/** Lists the caller's sessions of the console, the last used first. */
export async function listSessions({ db, clock }: SessionDeps, caller: Caller) {
  const rows = await inAccount(db, caller.accountId, (tx) => selectSessions(tx, caller, clock.now()));
  return rows.map((row) => ({
    prefix: row.prefix,
    isCurrent: row.hash.equals(caller.tokenHash),
    address: row.opened_from,
    userAgent: row.user_agent,
    isSso: row.is_sso,
    openedAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    expiresAt: row.expires_at.toISOString(),
  }));
}

export async function endSession(deps: SessionDeps, caller: Caller, prefix: string): Promise<void> {
  if (!isPrefix(prefix) || (await end(deps, caller, { prefix })) === 0) throw notFound();
}

/** Ends all sessions of the caller except that of the request. */
export async function endOtherSessions(deps: SessionDeps, caller: Caller): Promise<void> {
  await end(deps, caller, { except: caller.tokenHash });
}

async function end(
  { db, clock }: SessionDeps,
  caller: Caller,
  which: { prefix: string } | { except: Buffer },
): Promise<number> {
  const { accountId, origin } = caller;
  return await inAccount(db, accountId, async (tx) => {
    await lockUser(tx, accountId, caller.userId);
    const ended = await deleteSessions(tx, caller, which);
    const revocation = { accountId, actor: caller, origin, at: clock.now() };
    for (const prefix of ended) await recordRevocation(tx, revocation, prefix);
    return ended.length;
  });
}
