import { inBatchesPerKey } from '../../platform/batch.ts';
import type { Handling, Role } from '../../platform/caller.ts';
import type { Database, Tx } from '../../platform/db/database.ts';
import { perDatabase } from '../../platform/db/per-database.ts';
import { prepared, queryPrepared } from '../../platform/db/prepared.ts';
import type { CallView, RecordingView } from '../../platform/permissions.ts';
import type { Scope } from '../../platform/scopes.ts';

export interface FoundToken {
  account_id: number;
  user_id: number;
  uuid: string;
  name: string;
  email: string;
  phone: string;
  role: Role;
  locale: string;
  email_verified: boolean;
  created_at: Date;
  updated_at: Date;
  last_login_at: Date | null;
  last_used_at: Date | null;
  request_handling: Handling;
  is_service: boolean;
  scopes: Scope[] | null;
  allowed_addresses: string[] | null;
  sees_calls: CallView;
  hears_recordings: RecordingView;
  /** These are null for a service token. */
  uses_money: boolean | null;
  uses_webhooks: boolean | null;
  supervises: boolean | null;
  is_console_session: boolean;
  proved_at: Date | null;
  lacks_factor: boolean;
}

interface LookUp {
  hash: Buffer;
  at: Date;
}

const mostTogether = 1_000;

/**
 * Requests with one token that arrive during its look-up share the next one, so that a client with many requests at once
 * uses one connection for them. A look-up never starts before its requests have arrived, so that a revoked token is
 * refused immediately.
 */
const lookUps = perDatabase((db) =>
  inBatchesPerKey(async (_token: string, together: LookUp[]) => {
    const { hash, at } = together.at(-1) as LookUp;
    const owner = await readOwner(db, hash, at);
    return together.map(() => owner);
  }, mostTogether),
);

export const findToken = (db: Database, hash: Buffer, at: Date): Promise<FoundToken | undefined> =>
  lookUps(db)(hash.toString('base64'), { hash, at });

/** Uses the pool directly with a prepared statement, because it runs on every request. */
async function readOwner(db: Database, hash: Buffer, at: Date): Promise<FoundToken | undefined> {
  const query = prepared<FoundToken>`
    select account_id, user_id, uuid, name, email, phone, role, locale, email_verified, created_at, updated_at,
           last_login_at, last_used_at, request_handling, is_service, scopes, allowed_addresses, sees_calls,
           hears_recordings, uses_money, uses_webhooks, supervises, is_console_session, proved_at, lacks_factor
      from caller_of_token(${hash}, ${at})`;
  const [row] = await queryPrepared(db, query, { isRepeatable: true });
  return row;
}

export async function touchTokens(db: Database, uses: [Buffer, Date][]): Promise<void> {
  await db.pool.query('select touch_tokens($1, $2)', [uses.map(([hash]) => hash), uses.map(([, at]) => at)]);
}

export interface Login {
  account_id: number;
  account_name: string;
  account_status: string;
  user_id: number;
  uuid: string;
  email: string;
  locale: 'pt-BR' | 'en';
  email_verified: boolean;
  password_hash: string;
  password_changed_at: Date;
  knows_address: boolean;
}

/** Returns the user who has the address, or had it until recently; `email` of the result is the current one. */
export async function findLogin(
  db: Database,
  email: string,
  address: string,
  at: Date,
): Promise<Login | undefined> {
  const query = prepared<Login>`
    select account_id, account_name, account_status, user_id, uuid, email, locale, email_verified, password_hash,
           password_changed_at, knows_address
      from login_of_email(${email}, ${address}, ${at})`;
  const [row] = await queryPrepared(db, query, { isRepeatable: true });
  return row;
}

export async function findUserAccount(db: Database, userUuid: string): Promise<number | undefined> {
  const query = prepared<{ id: number | null }>`select find_user_account(${userUuid}) as id`;
  const [row] = await queryPrepared(db, query, { isRepeatable: true });
  return row?.id ?? undefined;
}

/** Locks the user: until the transaction ends, no other transaction changes, removes or counts the user's tokens. */
export async function lockUser(
  tx: Tx,
  accountId: number,
  userId: number,
): Promise<{ password_changed_at: Date } | undefined> {
  return await tx
    .selectFrom('users')
    .select('password_changed_at')
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

/** Keeps the user from being removed or locked by `lockUser` until the transaction ends. */
export async function holdUser(tx: Tx, accountId: number, userId: number): Promise<void> {
  await tx
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .forKeyShare()
    .execute();
}

/** `isApi`: with `POST /users/login`, which programs use. */
export async function noteLogin(
  tx: Tx,
  accountId: number,
  userId: number,
  at: Date,
  isApi: boolean,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ last_login_at: at, ...(isApi ? { last_api_login_at: at } : {}) })
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .execute();
}

const selectPassword = (tx: Tx, accountId: number, userUuid: string) =>
  tx
    .selectFrom('users')
    .select(['id', 'uuid', 'email', 'locale', 'email_verified', 'password_hash', 'password_changed_at'])
    .where('account_id', '=', accountId)
    .where('uuid', '=', userUuid);

export async function findPassword(tx: Tx, accountId: number, userUuid: string) {
  return await selectPassword(tx, accountId, userUuid).executeTakeFirst();
}

/** Locks the password until the transaction ends. */
export async function lockPassword(tx: Tx, accountId: number, userUuid: string) {
  return await selectPassword(tx, accountId, userUuid).forUpdate().executeTakeFirst();
}

export async function setPassword(
  tx: Tx,
  accountId: number,
  userId: number,
  hash: string,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ password_hash: hash, password_changed_at: at, updated_at: at })
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .execute();
}

const addressesKept = 100;

export async function rememberAddress(
  tx: Tx,
  login: Pick<Login, 'account_id' | 'user_id'>,
  address: string,
  at: Date,
): Promise<void> {
  const owner = { account_id: login.account_id, user_id: login.user_id };
  await tx
    .insertInto('known_addresses')
    .values({ ...owner, address, last_login_at: at })
    .onConflict((conflict) => conflict.columns(['user_id', 'address']).doUpdateSet({ last_login_at: at }))
    .execute();
  await tx
    .deleteFrom('known_addresses')
    .where('account_id', '=', owner.account_id)
    .where('user_id', '=', owner.user_id)
    .where('address', 'in', (oldest) =>
      oldest
        .selectFrom('known_addresses')
        .select('address')
        .where('account_id', '=', owner.account_id)
        .where('user_id', '=', owner.user_id)
        .orderBy('last_login_at', 'desc')
        .offset(addressesKept),
    )
    .execute();
}
