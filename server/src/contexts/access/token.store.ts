import { sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../platform/db/database.ts';
import { neverExpires } from './token.rules.ts';

interface Owner {
  accountId: number;
  userId: number;
}

export async function countLiveTokens(tx: Tx, owner: Owner, at: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('access_tokens')
    .select((tokens) => tokens.fn.countAll<number>().as('count'))
    .where('account_id', '=', owner.accountId)
    .where('user_id', '=', owner.userId)
    .where('expires_at', '>', at)
    .executeTakeFirstOrThrow();
  return count;
}

export async function hasToken(tx: Tx, owner: Owner, hash: Buffer): Promise<boolean> {
  return (await selectToken(tx, owner, hash).executeTakeFirst()) !== undefined;
}

/** Locks the token until the transaction ends; false if it no longer exists. */
export async function holdToken(tx: Tx, owner: Owner, hash: Buffer): Promise<boolean> {
  return (await selectToken(tx, owner, hash).forKeyShare().executeTakeFirst()) !== undefined;
}

const selectToken = (tx: Tx, owner: Owner, hash: Buffer) =>
  tx
    .selectFrom('access_tokens')
    .select('prefix')
    .where('account_id', '=', owner.accountId)
    .where('user_id', '=', owner.userId)
    .where('hash', '=', hash);

interface StoredToken {
  hash: Buffer;
  prefix: string;
  ttlSeconds: number;
  name: string | undefined;
  isConsoleSession: boolean;
  createdAt: Date;
}

export async function insertToken(tx: Tx, owner: Owner, token: StoredToken): Promise<void> {
  const { hash, prefix, ttlSeconds, name, isConsoleSession, createdAt } = token;
  await tx
    .insertInto('access_tokens')
    .values({
      hash,
      prefix,
      account_id: owner.accountId,
      user_id: owner.userId,
      ttl_seconds: ttlSeconds,
      name: name ?? null,
      is_console_session: isConsoleSession,
      created_at: createdAt,
      expires_at:
        ttlSeconds === neverExpires ? 'infinity' : new Date(createdAt.getTime() + ttlSeconds * 1000),
    })
    .execute();
}

export async function deleteTokenByHash(tx: Tx, owner: Owner, hash: Buffer): Promise<string | undefined> {
  const row = await ofOwner(tx, owner).where('hash', '=', hash).returning('prefix').executeTakeFirst();
  return row?.prefix;
}

export async function deleteTokenByPrefix(tx: Tx, owner: Owner, prefix: string, at: Date): Promise<boolean> {
  const row = await ofOwner(tx, owner)
    .where('prefix', '=', prefix)
    .where('expires_at', '>', at)
    .returning('prefix')
    .executeTakeFirst();
  return row !== undefined;
}

/** Revokes a user's tokens after a change of password or role, except the one that made the change. */
export async function revokeOtherTokens(tx: Tx, owner: Owner, kept?: Buffer): Promise<void> {
  const all = ofOwner(tx, owner);
  await (kept ? all.where('hash', '<>', kept) : all).execute();
}

const ofOwner = (tx: Tx, owner: Owner) =>
  tx
    .deleteFrom('access_tokens')
    .where('account_id', '=', owner.accountId)
    .where('user_id', '=', owner.userId);

/** Returns the number of deleted rows. */
export async function sweepExpiredTokens(db: Database, at: Date, limit: number): Promise<number> {
  const query = sql<{ removed: number }>`select sweep_expired_tokens(${at}, ${limit}) as removed`;
  const [row] = await queryRows(db, query);
  return row?.removed ?? 0;
}

export const selectLiveTokens = (tx: Tx, owner: Owner, at: Date) =>
  tx
    .selectFrom('access_tokens')
    .select(['prefix', 'name', 'ttl_seconds', 'created_at', 'last_used_at'])
    .where('account_id', '=', owner.accountId)
    .where('user_id', '=', owner.userId)
    .where('expires_at', '>', at);

/** Revokes all tokens of an account that is closed. */
export async function deleteAllTokens(tx: Tx, accountId: number): Promise<void> {
  await tx.deleteFrom('access_tokens').where('account_id', '=', accountId).execute();
}
