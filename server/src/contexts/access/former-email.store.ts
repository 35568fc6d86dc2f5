import { sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../platform/db/database.ts';
import { secondsAfter } from '../../platform/time.ts';
import type { Owner } from './token.store.ts';

/** A former address logs in, and can undo the change, for this long. */
export const formerEmailSeconds = 72 * 3600;

export interface FormerEmail {
  email: string;
  wasVerified: boolean;
  /** What `email_by_admin` was. */
  emailByAdmin: string | null;
}

/** Keeps the address that a user had until now. Returns its id. */
export async function keepFormerEmail(
  tx: Tx,
  { accountId, userId }: Owner,
  { email, wasVerified, emailByAdmin }: FormerEmail,
  at: Date,
): Promise<number> {
  const { id } = await tx
    .insertInto('former_emails')
    .values({
      account_id: accountId,
      user_id: userId,
      email,
      was_verified: wasVerified,
      email_by_admin: emailByAdmin,
      expires_at: secondsAfter(at, formerEmailSeconds),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Returns the id of the earliest change away from this address that can still be undone. */
export async function findFormerEmail(
  tx: Tx,
  { accountId, userId }: Owner,
  email: string,
  at: Date,
): Promise<number | undefined> {
  const row = await tx
    .selectFrom('former_emails')
    .select('id')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .where('expires_at', '>', at)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Deletes a former address and all later ones, which no longer log in. Returns it if it can undo the change. */
export async function takeFormerEmail(
  tx: Tx,
  { accountId, userId }: Owner,
  id: number,
  at: Date,
): Promise<FormerEmail | undefined> {
  const rows = await tx
    .deleteFrom('former_emails')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('id', '>=', id)
    .returning(['id', 'email', 'was_verified', 'email_by_admin', 'expires_at'])
    .execute();
  const row = rows.find((each) => each.id === id && each.was_verified && each.expires_at > at);
  return row && { email: row.email, wasVerified: row.was_verified, emailByAdmin: row.email_by_admin };
}

/** Deletes a person's address from the former addresses of all users. */
export async function eraseFormerEmail(tx: Tx, accountId: number, email: string): Promise<void> {
  await tx
    .deleteFrom('former_emails')
    .where('account_id', '=', accountId)
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .execute();
}

/** Returns whether a user other than `except` has the address, or can still take it back. */
export async function isEmailHeld(tx: Tx, email: string, at: Date, except?: number): Promise<boolean> {
  const { rows } = await sql<{ id: number | null }>`select email_holder(${email}, ${at}) as id`.execute(tx);
  const id = rows[0]?.id ?? null;
  return id !== null && id !== except;
}

/** Whether no user has the address, except that of a sign-up which was never confirmed and makes room for its owner. */
export async function isEmailFreeForOwner(tx: Tx, email: string, at: Date): Promise<boolean> {
  if (!(await isEmailHeld(tx, email, at))) return true;
  const { rows } = await sql<{ status: string }>`
    select account_status as status from login_of_email(${email}, '', ${at})`.execute(tx);
  return rows[0]?.status === 'pending';
}

/** Deletes the account of a sign-up that was never confirmed, for a person who has proved its address. */
export async function releaseUnconfirmedEmail(tx: Tx, email: string, at: Date): Promise<void> {
  await sql`select release_unconfirmed_address(${email}, ${at})`.execute(tx);
}

/** Returns the number of deleted rows. */
export async function sweepFormerEmails(db: Database, at: Date, limit: number): Promise<number> {
  const query = sql<{ removed: number }>`select sweep_former_emails(${at}, ${limit}) as removed`;
  const [row] = await queryRows(db, query);
  return row?.removed ?? 0;
}
