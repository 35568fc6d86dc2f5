import { sql } from 'kysely';
import { withDatabase } from './database.ts';
import { type Check, type Finding, fault, ok } from './finding.ts';
import type { Settings } from './settings.ts';

interface ChangedCollation {
  name: string;
  /** Whether it is the sort order of the database. */
  isDefault: boolean;
  database: string;
  recorded: string;
  actual: string | null;
  /** Indexes that are sorted by it; a partitioned index stands for its parts. */
  indexes: string[];
}

const part = 'sort order';

/**
 * Checks that the operating system still sorts text as it did when the indexes were built. After an upgrade of its C
 * library or of ICU, a search in an index may miss rows, and unique indexes may accept duplicates.
 */
export const checkSortOrder = ({ DATABASE_OWNER_URL: url }: Settings): Check => ({
  part,
  otherwise: 'Check that DATABASE_OWNER_URL is right and PostgreSQL runs.',
  async look() {
    if (!url) throw new Error('DATABASE_OWNER_URL is not set');
    return await withDatabase(url, async ({ kysely }) => {
      // The version of a collation is computed for those that indexes use only: there are about a thousand.
      const { rows } = await sql<ChangedCollation>`
        with used as materialized (
          select oid, collname, collprovider, collversion from pg_collation
           where oid in (select unnest(indcollation) from pg_index)
        ), versions as materialized (
          select u.oid, u.collname::text as name, u.collprovider = 'd' as is_default, d.datname::text as database,
                 case when u.collprovider = 'd' then d.datcollversion else u.collversion end as recorded,
                 case when u.collprovider = 'd' then pg_database_collation_actual_version(d.oid)
                      else pg_collation_actual_version(u.oid) end as actual
            from used u, pg_database d where d.datname = current_database()
        )
        select v.name, v.is_default as "isDefault", v.database, v.recorded, v.actual,
               array_agg(format('%I.%I', n.nspname, r.relname) order by n.nspname, r.relname) as indexes
          from versions v
          join pg_index i on v.oid = any(i.indcollation)
          join pg_class r on r.oid = i.indexrelid
          join pg_namespace n on n.oid = r.relnamespace
         where v.recorded is not null and v.recorded is distinct from v.actual and not r.relispartition
         group by v.name, v.is_default, v.database, v.recorded, v.actual order by v.is_default desc, v.name`.execute(
        kysely,
      );
      return rows.length === 0 ? ok(part, 'as it was when the indexes were built') : rows.map(describe);
    });
  },
});

function describe({ name, isDefault, database, recorded, actual, indexes }: ChangedCollation): Finding {
  const refresh = isDefault
    ? `ALTER DATABASE "${database}" REFRESH COLLATION VERSION`
    : `ALTER COLLATION "${name}" REFRESH VERSION`;
  return fault(
    part,
    `${isDefault ? 'the sort order of the database' : `the collation ${name}`} changed from version ${recorded} to ${actual ?? 'none'}, so searches may miss rows in these indexes: ${indexes.join(', ')}`,
    `Rebuild each with REINDEX INDEX CONCURRENTLY, then run ${refresh}.`,
  );
}
