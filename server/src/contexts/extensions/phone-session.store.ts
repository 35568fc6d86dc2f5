import type { Tx } from '../../platform/db/database.ts';
import type { StoredDigest } from './digest.rules.ts';

/** The facts about an extension that opening or ending a session needs. */
export interface PhoneExtension {
  id: number;
  ramal: string;
  domain: string;
  userId: number | null;
}

/** Locks the extension, so that its sessions are opened and ended one after the other. */
export async function lockPhoneExtension(
  tx: Tx,
  accountId: number,
  id: number,
): Promise<PhoneExtension | undefined> {
  return await tx
    .selectFrom('extensions as e')
    .innerJoin('account_info as a', 'a.id', 'e.account_id')
    .select(['e.id', 'e.ramal', 'a.domain', 'e.user_id as userId'])
    .where('e.account_id', '=', accountId)
    .where('e.id', '=', id)
    .forNoKeyUpdate('e')
    .$narrowType<{ domain: string }>()
    .executeTakeFirst();
}

const sessionsOf = (tx: Tx, accountId: number, extensionId: number) =>
  tx.selectFrom('phone_sessions').where('account_id', '=', accountId).where('extension_id', '=', extensionId);

export interface StoredSession {
  id: string;
  accountId: number;
  extensionId: number;
  userId: number;
  /** Hash of the token that opened it; the session ends with that token. */
  tokenHash: Buffer;
  username: string;
  digest: StoredDigest;
  createdAt: Date;
  expiresAt: Date;
}

export async function insertSession(tx: Tx, session: StoredSession): Promise<void> {
  await tx
    .insertInto('phone_sessions')
    .values({
      id: session.id,
      account_id: session.accountId,
      extension_id: session.extensionId,
      user_id: session.userId,
      token_hash: session.tokenHash,
      username: session.username,
      ha1: session.digest.ha1,
      ha1_sealed: session.digest.ha1Sealed,
      created_at: session.createdAt,
      expires_at: session.expiresAt,
    })
    .execute();
}

/** Ends the oldest live sessions beyond `kept`. */
export async function endAllBut(tx: Tx, extension: Owned, kept: number, at: Date): Promise<void> {
  const surplus = sessionsOf(tx, extension.accountId, extension.id)
    .select('id')
    .where('ended_at', 'is', null)
    .where('expires_at', '>', at)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(kept);
  await tx.updateTable('phone_sessions').set({ ended_at: at }).where('id', 'in', surplus).execute();
}

/** Deletes the oldest ended sessions beyond `kept`. The edge still recognizes the others as ended. */
export async function forgetAllBut(tx: Tx, extension: Owned, kept: number): Promise<void> {
  const surplus = sessionsOf(tx, extension.accountId, extension.id)
    .select('id')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(kept);
  await tx.deleteFrom('phone_sessions').where('id', 'in', surplus).execute();
}

interface Owned {
  id: number;
  accountId: number;
}

/** Ends a live session; undefined if there is none. */
export async function endSession(
  tx: Tx,
  extension: Owned,
  id: string,
  at: Date,
): Promise<{ id: string; username: string; expiresAt: Date } | undefined> {
  return await tx
    .updateTable('phone_sessions')
    .set({ ended_at: at })
    .where('account_id', '=', extension.accountId)
    .where('extension_id', '=', extension.id)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', at)
    .returning(['id', 'username', 'expires_at as expiresAt'])
    .executeTakeFirst();
}
