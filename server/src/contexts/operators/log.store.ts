import { sql } from 'kysely';
import { type Database, queryRows, type Tx } from '../../platform/db/database.ts';

export interface LogEntry {
  at: Date;
  /** Name of the operator, or `machine` before there are operators. */
  operator: string;
  role: string;
  command: string;
  target: string;
  reason: string;
  details: Record<string, unknown>;
}

export interface StoredEntry extends LogEntry {
  seq: number;
  hash: string;
}

/** Makes acts wait for each other until the transaction ends: a limit is checked against all entries before. */
export async function lockLog(tx: Tx): Promise<void> {
  await sql`select lock_operator_log()`.execute(tx);
}

/** Appends an entry and returns its number. */
export async function appendLog(tx: Tx, entry: LogEntry): Promise<number> {
  const { at, operator, role, command, target, reason, details } = entry;
  const { rows } = await sql<{ seq: number }>`
    select append_operator_log(${at}, ${operator}, ${role}, ${command}, ${target}, ${reason},
      ${JSON.stringify(details)}::jsonb) as seq`.execute(tx);
  return rows[0]?.seq ?? 0;
}

/** Returns whether an operator has ever chosen a password; without a name, whether any has. */
export async function wasSetUp(tx: Tx, name?: string): Promise<boolean> {
  const { rows } = await sql`
    select from operator_log where command = 'operator set-up' and target = coalesce(${name ?? null}, target)
     limit 1`.execute(tx);
  return rows.length > 0;
}

export const findEntries = (
  db: Database,
  { after, most }: { after: number; most: number },
): Promise<StoredEntry[]> =>
  queryRows(
    db,
    sql<StoredEntry>`
      select * from (
        select seq, at, operator, role, command, target, reason, details, encode(hash, 'hex') as hash
          from operator_log where seq > ${after} order by seq desc limit ${most}) newest
       order by seq`,
  );

/** Returns the entries whose hash, or whose predecessor, is not the expected one. */
export const findBrokenEntries = (db: Database): Promise<{ seq: number; problem: string }[]> =>
  queryRows(
    db,
    sql<{ seq: number; problem: string }>`
      select seq, case when hash <> computed then 'changed' else 'the entries before it were changed or removed' end as problem
        from (select seq, hash, previous, operator_log_hash(entry) as computed, row_number() over w as place,
                     lag(hash, 1, decode(repeat('00', 32), 'hex')) over w as before
                from operator_log entry window w as (order by seq)) chained
       where hash <> computed or previous <> before or seq <> place order by seq limit 20`,
  );

export interface Head {
  seq: number;
  hash: string;
}

/** Returns the last entry according to the head, and the last one that there is. */
export async function findHeads(db: Database): Promise<{ noted: Head; last: Head }> {
  const [row] = await queryRows(
    db,
    sql<{ noted: Head; last: Head | null }>`
      select jsonb_build_object('seq', seq, 'hash', encode(hash, 'hex')) as noted,
             (select jsonb_build_object('seq', l.seq, 'hash', encode(l.hash, 'hex'))
                from operator_log l order by l.seq desc limit 1) as last
        from operator_log_head`,
  );
  const none = { seq: 0, hash: '00'.repeat(32) };
  return { noted: row?.noted ?? none, last: row?.last ?? none };
}

export async function findEntryHash(db: Database, seq: number): Promise<string | undefined> {
  const [row] = await queryRows(
    db,
    sql<{ hash: string }>`select encode(hash, 'hex') as hash from operator_log where seq = ${seq}`,
  );
  return row?.hash;
}
