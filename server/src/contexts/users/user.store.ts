import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { Users } from '../../platform/db/schema.ts';
import { violatedConstraint } from '../../platform/db/unavailable.ts';
import { type Fault, invalid } from '../../platform/errors.ts';
import type { User } from './user.ts';

export const userColumns = [
  'id',
  'uuid',
  'account_id',
  'name',
  'email',
  'phone',
  'role',
  'locale',
  'email_verified',
  'email_by_admin',
  'created_at',
  'updated_at',
  'last_login_at',
] as const;

export type UserRow = Pick<Selectable<Users>, (typeof userColumns)[number]>;

export const userFromRow = (row: UserRow): User => ({
  id: row.id,
  uuid: row.uuid,
  accountId: row.account_id,
  name: row.name,
  email: row.email,
  phone: row.phone,
  role: row.role as User['role'],
  locale: row.locale as User['locale'],
  emailVerified: row.email_verified,
  emailByAdmin: row.email_by_admin,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  lastLoginAt: row.last_login_at,
});

/** The columns that an update may change. */
const changeable = (user: Omit<User, 'id' | 'lastLoginAt'>) => ({
  name: user.name,
  email: user.email,
  phone: user.phone,
  role: user.role,
  locale: user.locale,
  email_verified: user.emailVerified,
  email_by_admin: user.emailByAdmin,
  updated_at: user.updatedAt,
});

export async function insertUser(
  tx: Tx,
  user: Omit<User, 'id' | 'lastLoginAt'> & { passwordHash: string },
): Promise<User> {
  try {
    const row = await tx
      .insertInto('users')
      .values({
        uuid: user.uuid,
        account_id: user.accountId,
        ...changeable(user),
        password_hash: user.passwordHash,
        password_changed_at: user.createdAt,
        created_at: user.createdAt,
      })
      .returning(userColumns)
      .executeTakeFirstOrThrow();
    return userFromRow(row);
  } catch (error) {
    throw refusalOf(error);
  }
}

export async function lockUserByUuid(tx: Tx, accountId: number, uuid: string): Promise<User | undefined> {
  const row = await tx
    .selectFrom('users')
    .select(userColumns)
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .forUpdate()
    .executeTakeFirst();
  return row && userFromRow(row);
}

/**
 * Returns the account's ADMINs and keeps other transactions from removing or demoting one, so that two ADMINs cannot
 * demote each other. Locks the account's row, because locking users one by one can deadlock.
 */
export async function lockAdmins(tx: Tx, accountId: number): Promise<number[]> {
  await sql`select lock_account(${accountId})`.execute(tx);
  const rows = await tx
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .where('role', '=', 'ADMIN')
    .execute();
  return rows.map((row) => row.id);
}

export async function saveUser(tx: Tx, user: User): Promise<void> {
  try {
    await tx
      .updateTable('users')
      .set(changeable(user))
      .where('account_id', '=', user.accountId)
      .where('id', '=', user.id)
      .execute();
  } catch (error) {
    throw refusalOf(error);
  }
}

export async function deleteUser(tx: Tx, accountId: number, id: number): Promise<void> {
  await tx.deleteFrom('users').where('account_id', '=', accountId).where('id', '=', id).execute();
}

export const duplicateEmail: Fault = {
  path: 'email',
  code: 'duplicate',
  message: '`email` is already in use.',
};

const refusalOf = (error: unknown): unknown =>
  violatedConstraint(error) === 'users_email' ? invalid(duplicateEmail) : error;

export async function findUserByUuid(tx: Tx, accountId: number, uuid: string): Promise<User | undefined> {
  const row = await selectUsers(tx, accountId).where('uuid', '=', uuid).executeTakeFirst();
  return row && userFromRow(row);
}

/** The digits of the phone number as typed. */
export const phoneDigitsColumn = sql<string>`regexp_replace(phone, '\\D', '', 'g')`;

export const selectUsers = (tx: Tx, accountId: number) =>
  tx.selectFrom('users').select(userColumns).where('account_id', '=', accountId);

export async function countUsers(tx: Tx, accountId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('users')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns the ADMINs with a confirmed address, who receive notifications about the account. */
export async function listAdmins(tx: Tx, accountId: number): Promise<User[]> {
  const rows = await selectUsers(tx, accountId)
    .where('role', '=', 'ADMIN')
    .where('email_verified', '=', true)
    .orderBy('id')
    .limit(100)
    .execute();
  return rows.map(userFromRow);
}

/**
 * Returns the ids of users with these addresses, by lower-case address. Skips unverified addresses that no ADMIN
 * entered: otherwise users could take over extensions by changing their own e-mail.
 */
export async function findTrustedUsers(
  tx: Tx,
  accountId: number,
  emails: string[],
): Promise<Map<string, number>> {
  if (emails.length === 0) return new Map();
  const lower = emails.map((email) => email.toLowerCase());
  const rows = await tx
    .selectFrom('users')
    .select(['id', 'email'])
    .where('account_id', '=', accountId)
    .where(({ eb, or }) =>
      or([
        eb('email_verified', '=', true),
        eb(sql<string>`lower(email_by_admin)`, '=', sql<string>`lower(email)`),
      ]),
    )
    .where(sql<string>`lower(email)`, '=', sql<string>`any(${lower}::text[])`)
    .execute();
  return new Map(rows.map(({ id, email }) => [email.toLowerCase(), id]));
}

export async function findUsers(tx: Tx, accountId: number, ids: number[]): Promise<User[]> {
  if (ids.length === 0) return [];
  return (await selectUsers(tx, accountId).where('id', 'in', ids).execute()).map(userFromRow);
}
