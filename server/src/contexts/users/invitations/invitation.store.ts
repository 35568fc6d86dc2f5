import { type Selectable, sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../../platform/db/database.ts';
import { prepared, queryPrepared } from '../../../platform/db/prepared.ts';
import type { Invitations } from '../../../platform/db/schema.ts';
import { violatedConstraint } from '../../../platform/db/unavailable.ts';
import { type Fault, invalid } from '../../../platform/errors.ts';
import { contactReadings } from '../../../platform/phone.ts';
import type { Invitation } from './invitation.ts';

export const fromRow = (row: Selectable<Invitations>): Invitation => ({
  id: row.id,
  uuid: row.uuid,
  accountId: row.account_id,
  email: row.email,
  name: row.name,
  phone: row.phone,
  role: row.role as Invitation['role'],
  locale: row.locale as Invitation['locale'],
  invitedBy: row.invited_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

export const duplicateInvitation: Fault = {
  path: 'email',
  code: 'duplicate',
  message: '`email` is already invited.',
};

export async function insertInvitation(tx: Tx, invitation: Omit<Invitation, 'id'>): Promise<Invitation> {
  const { accountId, invitedBy, createdAt, expiresAt, ...rest } = invitation;
  try {
    const row = await tx
      .insertInto('invitations')
      .values({
        ...rest,
        account_id: accountId,
        invited_by: invitedBy,
        created_at: createdAt,
        expires_at: expiresAt,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return fromRow(row);
  } catch (error) {
    throw violatedConstraint(error) === 'invitations_email' ? invalid(duplicateInvitation) : error;
  }
}

export const selectInvitations = (tx: Tx, accountId: number) =>
  tx.selectFrom('invitations').selectAll().where('account_id', '=', accountId);

export async function isInvited(tx: Tx, accountId: number, email: string): Promise<boolean> {
  const row = await selectInvitations(tx, accountId)
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
  return row !== undefined;
}

export async function findInvitation(
  tx: Tx,
  accountId: number,
  uuid: string,
): Promise<Invitation | undefined> {
  const row = await selectInvitations(tx, accountId).where('uuid', '=', uuid).executeTakeFirst();
  return row && fromRow(row);
}

export async function lockInvitation(
  tx: Tx,
  accountId: number,
  uuid: string,
): Promise<Invitation | undefined> {
  const row = await selectInvitations(tx, accountId).where('uuid', '=', uuid).forUpdate().executeTakeFirst();
  return row && fromRow(row);
}

export async function findInvitationAccount(db: Database, uuid: string): Promise<number | undefined> {
  const query = prepared<{ id: number | null }>`select find_invitation_account(${uuid}) as id`;
  const [row] = await queryPrepared(db, query, { isRepeatable: true });
  return row?.id ?? undefined;
}

export async function countInvitations(tx: Tx, accountId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('invitations')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function extendInvitation(tx: Tx, { accountId, id }: Invitation, until: Date): Promise<void> {
  await tx
    .updateTable('invitations')
    .set({ expires_at: until })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .execute();
}

export async function deleteInvitation(
  tx: Tx,
  { accountId, id }: Pick<Invitation, 'accountId' | 'id'>,
): Promise<void> {
  await tx.deleteFrom('invitations').where('account_id', '=', accountId).where('id', '=', id).execute();
}

/** Deletes the invitation of an address that gets its user in another way, and returns it. */
export async function takeInvitation(
  tx: Tx,
  accountId: number,
  email: string,
): Promise<Invitation | undefined> {
  const row = await tx
    .deleteFrom('invitations')
    .where('account_id', '=', accountId)
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .returningAll()
    .executeTakeFirst();
  return row && fromRow(row);
}

/** Deletes the invitation of a person's address; returns its uuid. */
export async function eraseInvitation(tx: Tx, accountId: number, email: string): Promise<string[]> {
  const rows = await tx
    .deleteFrom('invitations')
    .where('account_id', '=', accountId)
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .returning('uuid')
    .execute();
  return rows.map(({ uuid }) => uuid);
}

/** Erases the number from invitations, in any notation. */
export async function eraseInvitedPhone(tx: Tx, accountId: number, phone: string): Promise<void> {
  const rows = await selectInvitations(tx, accountId).where('phone', '<>', '').execute();
  const ids = rows.filter((row) => contactReadings(row.phone).includes(phone)).map(({ id }) => id);
  if (ids.length === 0) return;
  await tx
    .updateTable('invitations')
    .set({ phone: '' })
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .execute();
}

/** Returns the number of deleted rows. */
export async function deleteExpiredInvitations(
  db: Database,
  expiredBefore: Date,
  limit: number,
): Promise<number> {
  const query = sql<{ removed: number }>`select sweep_invitations(${expiredBefore}, ${limit}) as removed`;
  const [row] = await queryRows(db, query);
  return row?.removed ?? 0;
}
