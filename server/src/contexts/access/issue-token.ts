import type { Caller, Origin } from '../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../platform/db/database.ts';
import { invalidToken, Refusal } from '../../platform/errors.ts';
import type { Clock } from '../../platform/time.ts';
import { type Actor, recordChange } from '../audit/index.ts';
import { lockUser } from './access.store.ts';
import { maxTokens, prefixLength } from './token.rules.ts';
import { countLiveTokens, hasToken, insertToken } from './token.store.ts';
import { hashToken, newToken } from './token.ts';

export interface IssuedToken {
  /** The token itself, shown only once. */
  id: string;
  ttl: number;
  created: Date;
}

export interface WantedToken {
  ttl: number;
  name?: string | undefined;
  isConsoleSession?: boolean | undefined;
}

export async function issueToken(
  deps: { db: Database; clock: Clock },
  caller: Caller,
  wanted: WantedToken,
): Promise<IssuedToken> {
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    await lockUser(tx, caller.accountId, caller.userId);
    // A token that was revoked during the request must not create another one.
    if (!(await hasToken(tx, caller, caller.tokenHash))) throw invalidToken();
    return await issueTokenIn(tx, caller, caller, caller.origin, wanted, deps.clock.now());
  });
}

/** Requires a lock on the user, so that concurrent requests count tokens one after the other. */
export async function issueTokenIn(
  tx: Tx,
  owner: { accountId: number; userId: number },
  actor: Actor,
  origin: Origin,
  { ttl, name, isConsoleSession = false }: WantedToken,
  at: Date,
): Promise<IssuedToken> {
  if ((await countLiveTokens(tx, owner, at)) >= maxTokens) {
    throw new Refusal(
      'TOKEN_LIMIT',
      `A user has at most ${maxTokens} live tokens. Revoke one before creating another.`,
    );
  }
  const id = newToken();
  const prefix = id.slice(0, prefixLength);
  const token = { hash: hashToken(id), prefix, ttlSeconds: ttl, name, isConsoleSession, createdAt: at };
  await insertToken(tx, owner, token);
  await recordChange(tx, {
    accountId: owner.accountId,
    at,
    actor,
    origin,
    action: 'token.create',
    target: { type: 'token', id: prefix },
    after: { ttl, ...(name === undefined ? {} : { name }) },
  });
  return { id, ttl, created: at };
}
