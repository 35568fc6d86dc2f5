import type { Caller, Origin } from '../../platform/caller.ts';
import { type Database, inAccount, type Tx } from '../../platform/db/database.ts';
import { invalidToken } from '../../platform/errors.ts';
import type { Clock } from '../../platform/time.ts';
import { type Actor, recordChange } from '../audit/index.ts';
import { requireRoom } from '../limits/index.ts';
import { lockUser } from './access.store.ts';
import { replaceLogins } from './replace-logins.ts';
import { prefixLength, type TokenKind } from './token.rules.ts';
import { countCreatedTokens, hasToken, insertToken, type Owner } from './token.store.ts';
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
}

/** Creates a token for the caller. May revoke an older login to make room, but never the token of the request. */
export async function issueToken(
  deps: { db: Database; clock: Clock },
  caller: Caller,
  wanted: WantedToken,
): Promise<IssuedToken> {
  return await inAccount(deps.db, caller.accountId, async (tx) => {
    await lockUser(tx, caller.accountId, caller.userId);
    // A token that was revoked during the request must not create another one.
    if (!(await hasToken(tx, caller, caller.tokenHash))) throw invalidToken();
    const by = { actor: caller, origin: caller.origin, at: deps.clock.now(), inUse: caller.tokenHash };
    return await issueTokenIn(tx, caller, by, { ...wanted, kind: 'created' });
  });
}

interface Issuer {
  actor: Actor;
  origin: Origin;
  at: Date;
  /** Hash of the token that makes the request. */
  inUse?: Buffer;
}

/** Requires a lock on the user, so that concurrent requests count tokens one after the other. */
export async function issueTokenIn(
  tx: Tx,
  { accountId, userId }: Owner,
  { inUse, ...by }: Issuer,
  { ttl, name, kind }: WantedToken & { kind: TokenKind },
): Promise<IssuedToken> {
  const owner = { accountId, userId };
  await replaceLogins(tx, owner, kind, { accountId, ...by }, inUse);
  if (kind === 'created')
    await requireRoom(tx, accountId, 'tokens', () => countCreatedTokens(tx, accountId, by.at));
  const id = newToken();
  const prefix = id.slice(0, prefixLength);
  const token = { hash: hashToken(id), prefix, ttlSeconds: ttl, name, kind, createdAt: by.at };
  await insertToken(tx, owner, token);
  await recordChange(tx, {
    accountId,
    ...by,
    action: 'token.create',
    target: { type: 'token', id: prefix },
    after: { ttl, ...(name === undefined ? {} : { name }) },
  });
  return { id, ttl, created: by.at };
}
