import { sql } from 'kysely';
import type { Database, Tx } from '../../../platform/db/database.ts';

export type TrunkTestOutcome = 'answered' | 'busy' | 'no-answer' | 'rejected' | 'failed';

/** A short call, requested by the operator to test a trunk. */
export interface TrunkTest {
  id: string;
  trunkId: number;
  number: string;
}

export interface TrunkTestState {
  isTaken: boolean;
  outcome: TrunkTestOutcome | undefined;
  detail: string;
}

export async function insertTrunkTest(tx: Tx, test: TrunkTest, at: Date): Promise<void> {
  await tx
    .insertInto('trunk_tests')
    .values({ id: test.id, trunk_id: test.trunkId, number: test.number, asked_at: at })
    .execute();
}

/** Claims tests requested since `requestedAfter` for trunks known to this process; each test is claimed once. */
export async function takeTrunkTests(
  db: Database,
  known: readonly { id: number }[],
  requestedAfter: Date,
  at: Date,
  limit: number,
): Promise<TrunkTest[]> {
  const { rows } = await sql<TrunkTest>`
    update trunk_tests set taken_at = ${at}
     where id in (
       select id from trunk_tests
        where taken_at is null and asked_at > ${requestedAfter} and trunk_id = any(${known.map(({ id }) => id)})
        order by asked_at limit ${limit} for update skip locked)
    returning id, trunk_id as "trunkId", number`.execute(db.kysely);
  return rows;
}

export async function saveOutcome(
  db: Database,
  id: string,
  { outcome, detail, at }: { outcome: TrunkTestOutcome; detail: string; at: Date },
): Promise<void> {
  await db.kysely
    .updateTable('trunk_tests')
    .set({ outcome, detail, ended_at: at })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute();
}

export async function findTrunkTest(db: Database, id: string): Promise<TrunkTestState | undefined> {
  const row = await db.kysely
    .selectFrom('trunk_tests')
    .select(['taken_at', 'outcome', 'detail'])
    .where('id', '=', id)
    .executeTakeFirst();
  return (
    row && {
      isTaken: row.taken_at !== null,
      outcome: (row.outcome as TrunkTestOutcome | null) ?? undefined,
      detail: row.detail ?? '',
    }
  );
}

export async function deleteOldTrunkTests(tx: Tx, requestedBefore: Date): Promise<void> {
  await tx.deleteFrom('trunk_tests').where('asked_at', '<', requestedBefore).execute();
}
