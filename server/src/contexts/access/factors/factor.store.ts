import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import type { Owner } from '../token.store.ts';

export interface Totp {
  kind: 'totp';
  id: string;
  secretSealed: string;
}

export interface Passkey {
  kind: 'passkey';
  id: string;
  credentialId: string;
  publicKey: Buffer;
  signCount: number;
  transports: string[];
}

export interface Factor {
  id: string;
  kind: 'totp' | 'passkey';
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

const ofOwner = (tx: Tx, { accountId, userId }: Owner) =>
  tx.selectFrom('second_factors').where('account_id', '=', accountId).where('user_id', '=', userId);

/** Returns what a user's proofs are checked against. */
export async function findFactors(tx: Tx, owner: Owner): Promise<(Totp | Passkey)[]> {
  const rows = await ofOwner(tx, owner)
    .select(['id', 'kind', 'secret_sealed', 'credential_id', 'public_key', 'sign_count', 'transports'])
    .execute();
  return rows.map((row) =>
    row.kind === 'totp'
      ? { kind: 'totp', id: row.id, secretSealed: row.secret_sealed ?? '' }
      : {
          kind: 'passkey',
          id: row.id,
          credentialId: row.credential_id ?? '',
          publicKey: row.public_key ?? Buffer.alloc(0),
          signCount: row.sign_count ?? 0,
          transports: row.transports ?? [],
        },
  );
}

/** Returns the factors of a user, oldest first. */
export async function listFactors(tx: Tx, owner: Owner): Promise<Factor[]> {
  const rows = await ofOwner(tx, owner)
    .select(['id', 'kind', 'name', 'created_at', 'last_used_at'])
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind as Factor['kind'],
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }));
}

interface NewFactor {
  id: string;
  name: string;
  at: Date;
}

export async function insertTotp(
  tx: Tx,
  owner: Owner,
  { id, name, at }: NewFactor,
  { secretSealed, timeStep }: { secretSealed: string; timeStep: number },
): Promise<void> {
  await tx
    .insertInto('second_factors')
    .values({
      id,
      account_id: owner.accountId,
      user_id: owner.userId,
      kind: 'totp',
      name,
      secret_sealed: secretSealed,
      last_time_step: timeStep,
      created_at: at,
    })
    .execute();
}

/** Returns false if the passkey has been added before. */
export async function insertPasskey(
  tx: Tx,
  owner: Owner,
  { id, name, at }: NewFactor,
  passkey: Omit<Passkey, 'kind' | 'id'> & { challengeAt: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('second_factors')
    .values({
      id,
      account_id: owner.accountId,
      user_id: owner.userId,
      kind: 'passkey',
      name,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      sign_count: passkey.signCount,
      transports: passkey.transports,
      last_challenge_at: passkey.challengeAt,
      created_at: at,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Records that a code was used. Returns false if it, or a later one, was used before: a code is accepted once. */
export async function spendTimeStep(
  tx: Tx,
  owner: Owner,
  id: string,
  timeStep: number,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('second_factors')
    .set({ last_time_step: timeStep, last_used_at: at })
    .where('account_id', '=', owner.accountId)
    .where('id', '=', id)
    .where('last_time_step', '<', timeStep)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Records that a challenge was answered. Returns false if it, or a later one, was answered before. */
export async function spendChallenge(
  tx: Tx,
  owner: Owner,
  id: string,
  used: { challengeAt: Date; signCount: number; at: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('second_factors')
    .set({ last_challenge_at: used.challengeAt, sign_count: used.signCount, last_used_at: used.at })
    .where('account_id', '=', owner.accountId)
    .where('id', '=', id)
    .where('last_challenge_at', '<', used.challengeAt)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns the name of the deleted factor; undefined if the user has no such factor. */
export async function deleteFactor(tx: Tx, owner: Owner, id: string): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('second_factors')
    .where('account_id', '=', owner.accountId)
    .where('user_id', '=', owner.userId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

/** Returns the number of deleted factors. */
export async function deleteFactors(tx: Tx, owner: Owner): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('second_factors')
    .where('account_id', '=', owner.accountId)
    .where('user_id', '=', owner.userId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export async function countFactors(tx: Tx, owner: Owner): Promise<number> {
  const { count } = await ofOwner(tx, owner)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
