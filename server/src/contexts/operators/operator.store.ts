import type { Selectable } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import type { Operators } from '../../platform/db/schema.ts';
import type { NamedOperator, OperatorRole, OperatorSummary } from './operator.ts';

export type StoredOperator = Selectable<Operators>;

export const nameOf = ({ id, name, role }: Pick<StoredOperator, 'id' | 'name' | 'role'>): NamedOperator => ({
  id,
  name,
  role: role as OperatorRole,
});

export async function findOperators(tx: Tx): Promise<OperatorSummary[]> {
  const rows = await tx.selectFrom('operators').selectAll().orderBy('id').execute();
  return rows.map((row) => ({
    ...nameOf(row),
    email: row.email,
    isSetUp: row.password_hash !== null,
    disabledAt: row.disabled_at,
    createdAt: row.created_at,
  }));
}

/** Locks the operator, so that failed logins are counted one after the other. */
export const lockOperator = (tx: Tx, name: string): Promise<StoredOperator | undefined> =>
  tx.selectFrom('operators').selectAll().where('name', '=', name).forUpdate().executeTakeFirst();

export async function insertOperator(
  tx: Tx,
  operator: { name: string; email: string; role: OperatorRole; at: Date },
): Promise<void> {
  const { at, ...values } = operator;
  await tx
    .insertInto('operators')
    .values({ ...values, created_at: at })
    .execute();
}

/** Needs operators who never logged in. */
export async function deleteOperators(tx: Tx): Promise<void> {
  await tx.deleteFrom('operators').execute();
}

export async function updateOperator(
  tx: Tx,
  id: number,
  change: Partial<Omit<StoredOperator, 'id' | 'name' | 'created_at'>>,
): Promise<void> {
  await tx.updateTable('operators').set(change).where('id', '=', id).execute();
}

export async function insertSession(
  tx: Tx,
  session: { hash: Buffer; operatorId: number; at: Date; expiresAt: Date },
): Promise<void> {
  await tx.deleteFrom('operator_sessions').where('expires_at', '<', session.at).execute();
  await tx
    .insertInto('operator_sessions')
    .values({
      hash: session.hash,
      operator_id: session.operatorId,
      created_at: session.at,
      expires_at: session.expiresAt,
    })
    .execute();
}

export async function findSessionOperator(
  tx: Tx,
  hash: Buffer,
  at: Date,
): Promise<NamedOperator | undefined> {
  const row = await tx
    .selectFrom('operator_sessions as s')
    .innerJoin('operators as o', 'o.id', 's.operator_id')
    .select(['o.id', 'o.name', 'o.role'])
    .where('s.hash', '=', hash)
    .where('s.expires_at', '>', at)
    .where('o.disabled_at', 'is', null)
    .executeTakeFirst();
  return row && nameOf(row);
}

export async function deleteSessions(tx: Tx, operatorId: number): Promise<void> {
  await tx.deleteFrom('operator_sessions').where('operator_id', '=', operatorId).execute();
}

export async function deleteSession(tx: Tx, hash: Buffer): Promise<void> {
  await tx.deleteFrom('operator_sessions').where('hash', '=', hash).execute();
}
