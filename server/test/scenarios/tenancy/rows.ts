import type { TestDatabase } from '../../harness/database.ts';

export interface Column {
  table: string;
  name: string;
  type: string;
  isKey: boolean;
}

export async function readColumns(database: TestDatabase): Promise<Column[]> {
  return await database.query<{ table: string; name: string; type: string; isKey: boolean }>(
    `select c.relname as table, a.attname as name, t.typname as type,
            coalesce(a.attnum = any(key.indkey), false) as "isKey"
       from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       join pg_type t on t.oid = a.atttypid
       left join pg_index key on key.indrelid = c.oid and key.indisprimary
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1, 2`,
  );
}

type Row = Record<string, unknown>;

/** Every row of every table, by table and primary key. */
export type Snapshot = Map<string, { table: string; row: Row }>;

export async function snapshot(database: TestDatabase, columns: Column[]): Promise<Snapshot> {
  const keys = Map.groupBy(
    columns.filter(({ isKey }) => isKey),
    ({ table }) => table,
  );
  const selects = [...keys.keys()].map(
    (table) => `select '${table}' as table, to_jsonb(t) as row from "${table}" t`,
  );
  const rows = await database.query<{ table: string; row: Row }>(selects.join(' union all '));
  const primaryKey = (table: string, row: Row) => (keys.get(table) ?? []).map(({ name }) => row[name]);
  return new Map(
    rows.map((each) => [JSON.stringify([each.table, ...primaryKey(each.table, each.row)]), each]),
  );
}

export interface Difference {
  table: string;
  column: string;
  value: unknown;
  isNewRow: boolean;
}

/** Written in the background, also for refused requests. */
const isOfRequestLog = (table: string): boolean => /^requests(_|$)|^request_counts$/.test(table);

/** Returns the rows that a request wrote. Ignores the last use of a token and the request log. */
export function differences(before: Snapshot, after: Snapshot): Difference[] {
  return [...after].flatMap(([key, { table, row }]) => {
    if (isOfRequestLog(table)) return [];
    const old = before.get(key)?.row;
    return Object.entries(row)
      .filter(([column, value]) => JSON.stringify(old?.[column]) !== JSON.stringify(value))
      .filter(([column]) => column !== 'last_used_at')
      .map(([column, value]) => ({ table, column, value, isNewRow: old === undefined }));
  });
}
