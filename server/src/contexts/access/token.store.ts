import { sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/scopes.ts';
import { holdUser } from './access.store.ts';
import { neverExpires, type TokenCounts, type TokenKind } from './token.rules.ts';

export interface Owner {
  accountId: number;
  userId: number;
}

/** The account owns a service token, which has its own uuid and the user who created it. */
interface ServiceOwner {
  accountId: number;
  userId: null;
  uuid: string;
  createdBy: number;
}

export type TokenOwner = Owner | ServiceOwner;

export async function countLiveTokens(tx: Tx, owner: Owner, at: Date): Promise<TokenCounts> {
  const { rows } = await sql<TokenCounts>`
    select count(*) filter (where is_console_session)::int as console,
           count(*) filter (where is_login and not is_console_session)::int as login,
           count(*) filter (where not is_login and not is_console_session)::int as created
      from access_tokens
     where account_id = ${owner.accountId} and user_id = ${owner.userId} and expires_at > ${at}`.execute(tx);
  return rows[0] ?? { console: 0, login: 0, created: 0 };
}

/** Counts the live tokens of all users that were created explicitly. */
export async function countCreatedTokens(tx: Tx, accountId: number, at: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('access_tokens')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_id', '=', accountId)
    .where('is_login', '=', false)
    .where('is_console_session', '=', false)
    .where('expires_at', '>', at)
    .executeTakeFirstOrThrow();
  return count;
}

export interface ReplaceableLogin {
  hash: Buffer;
  prefix: string;
  isConsoleSession: boolean;
}

/**
 * Locks the user's logins and returns those without an open phone session, the least recently used first. Without the
 * lock, a phone session being opened could be ended with its token.
 */
export async function lockReplaceableLogins(
  tx: Tx,
  owner: Owner,
  at: Date,
  inUse: Buffer | undefined,
): Promise<ReplaceableLogin[]> {
  const logins = await tx
    .selectFrom('access_tokens')
    .select('hash')
    .where('account_id', '=', owner.accountId)
    .where('user_id', '=', owner.userId)
    .where('expires_at', '>', at)
    .where(({ eb, or }) => or([eb('is_login', '=', true), eb('is_console_session', '=', true)]))
    .orderBy('hash')
    .forUpdate()
    .execute();
  const hashes = logins.map(({ hash }) => hash).filter((hash) => !inUse?.equals(hash));
  // A separate statement sees the phone sessions that were opened while the first one was blocked.
  const { rows } = await sql<ReplaceableLogin>`
    select hash, prefix, is_console_session as "isConsoleSession"
      from access_tokens
     where account_id = ${owner.accountId} and user_id = ${owner.userId} and hash = any(${hashes}::bytea[])
       and hash <> all(tokens_with_phones(${hashes}::bytea[], ${at}))
     order by coalesce(last_used_at, created_at), created_at, hash`.execute(tx);
  return rows;
}

export async function hasToken(tx: Tx, owner: Owner, hash: Buffer): Promise<boolean> {
  return (await selectToken(tx, owner, hash).executeTakeFirst()) !== undefined;
}

/**
 * Locks the token until the transaction ends; returns false if it no longer exists. Locks the user first, like every
 * change to the user's tokens: a different order could deadlock.
 */
export async function holdToken(tx: Tx, owner: Owner, hash: Buffer): Promise<boolean> {
  await holdUser(tx, owner.accountId, owner.userId);
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
  kind: TokenKind;
  scopes: readonly Scope[] | undefined;
  allowedAddresses: readonly string[] | undefined;
  /** Where a console session was opened. */
  opened?: { address: string; userAgent: string } | undefined;
  isSso?: boolean;
  createdAt: Date;
}

/** Returns false, and stores nothing, if the owner has a token with this prefix. */
export async function insertToken(tx: Tx, owner: TokenOwner, token: StoredToken): Promise<boolean> {
  const {
    hash,
    prefix,
    ttlSeconds,
    name,
    kind,
    scopes,
    allowedAddresses,
    opened,
    isSso = false,
    createdAt,
  } = token;
  const { numInsertedOrUpdatedRows: inserted } = await tx
    .insertInto('access_tokens')
    .values({
      hash,
      prefix,
      account_id: owner.accountId,
      user_id: owner.userId,
      ...(owner.userId === null && {
        // A number that no user has, so that limits, calls and charges can refer to the token as to a user.
        service_id: sql<number>`nextval('users_id_seq')`,
        service_uuid: owner.uuid,
        created_by: owner.createdBy,
      }),
      scopes: scopes ? [...scopes] : null,
      allowed_addresses: allowedAddresses ? [...allowedAddresses] : null,
      ttl_seconds: ttlSeconds,
      name: name ?? null,
      is_login: kind !== 'created',
      is_console_session: kind === 'console',
      is_sso: isSso,
      opened_from: opened?.address ?? null,
      user_agent: opened?.userAgent ?? null,
      created_at: createdAt,
      proved_at: kind === 'created' ? null : createdAt,
      expires_at:
        ttlSeconds === neverExpires ? 'infinity' : new Date(createdAt.getTime() + ttlSeconds * 1000),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return inserted === 1n;
}

export async function deleteTokenByHash(
  tx: Tx,
  accountId: number,
  hash: Buffer,
): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('access_tokens')
    .where('account_id', '=', accountId)
    .where('hash', '=', hash)
    .returning('prefix')
    .executeTakeFirst();
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

export async function deleteTokens(tx: Tx, owner: Owner, tokens: { hash: Buffer }[]): Promise<void> {
  if (tokens.length === 0) return;
  const hashes = tokens.map(({ hash }) => hash);
  await ofOwner(tx, owner).where('hash', 'in', hashes).execute();
}

/** Revokes the tokens of a user's logins, but none that was created. */
export async function revokeLogins(tx: Tx, owner: Owner): Promise<void> {
  await ofOwner(tx, owner).where('is_login', '=', true).execute();
}

/** Ends the sessions of the account's users that were opened with single sign-on, or those that were not. */
export async function endSessions(
  tx: Tx,
  accountId: number,
  which: { isSso: boolean; exceptUser?: number | undefined; exceptToken?: Buffer | undefined },
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('access_tokens')
    .where('account_id', '=', accountId)
    .where('is_console_session', '=', true)
    .where('is_sso', '=', which.isSso)
    .$if(which.exceptUser !== undefined, (query) => query.where('user_id', '<>', which.exceptUser ?? 0))
    .$if(which.exceptToken !== undefined, (query) =>
      query.where('hash', '<>', which.exceptToken ?? Buffer.of()),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Notes when the user of a token proved their identity. */
export async function noteProof(tx: Tx, accountId: number, hash: Buffer, at: Date): Promise<void> {
  await tx
    .updateTable('access_tokens')
    .set({ proved_at: at })
    .where('account_id', '=', accountId)
    .where('hash', '=', hash)
    .execute();
}

/** Revokes a user's tokens after a change of password or role, except the token that made the change. */
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
    .select([
      'prefix',
      'name',
      'ttl_seconds',
      'created_at',
      'last_used_at',
      'expires_at',
      'scopes',
      'allowed_addresses',
    ])
    .where('account_id', '=', owner.accountId)
    .where('user_id', '=', owner.userId)
    .where('expires_at', '>', at);

/** Revokes all tokens of an account that is closed. */
export async function deleteAllTokens(tx: Tx, accountId: number): Promise<void> {
  await tx.deleteFrom('access_tokens').where('account_id', '=', accountId).execute();
}

/** Returns the prefix of the token if no reading of SIP passwords was noted for it since `since`, and notes one. */
export async function claimSenhaNote(
  tx: Tx,
  { accountId, tokenHash }: { accountId: number; tokenHash: Buffer },
  at: Date,
  since: Date,
): Promise<string | undefined> {
  const row = await tx
    .updateTable('access_tokens')
    .set({ senhas_noted_at: at })
    .where('account_id', '=', accountId)
    .where('hash', '=', tokenHash)
    .where(({ eb, or }) => or([eb('senhas_noted_at', 'is', null), eb('senhas_noted_at', '<=', since)]))
    .returning('prefix')
    .executeTakeFirst();
  return row?.prefix;
}
