import { computedNames, type Declared, ownedTables, procedures, readModels } from './table-owners.ts';
import type { Uses } from './table-uses.ts';

/** Input of the rules: the declarations, and the owner of each view. */
export interface Declarations {
  owned: Record<string, string[]>;
  /** Views, which other contexts may read. */
  views: Set<string>;
  readModels: Declared[];
  procedures: Declared[];
  computed: { file: string }[];
}

export const declaredOwners = (views: Set<string>): Declarations => ({
  owned: ownedTables,
  views,
  readModels,
  procedures,
  computed: computedNames,
});

/** Checks that every table is named only by its owner's stores and SQL files, except as declared. */
export function checkOwners(files: { path: string; uses: Uses }[], declared: Declarations): string[] {
  const ownerOf = new Map(
    Object.entries(declared.owned).flatMap(([context, tables]) =>
      tables.map((table) => [table, context] as const),
    ),
  );
  const entries = [...declared.readModels.map(readOnly), ...declared.procedures.map(readWrite)];
  const used = new Set<string>();
  const faults = files.flatMap(({ path, uses }) => {
    const context = contextOf(path);
    const isComputed = declared.computed.some(({ file }) => path === file);
    return [
      ...(isComputed
        ? []
        : uses.unresolved.map((text) => `${path}: cannot read the tables of ${shorten(text)}`)),
      ...uses.tables.flatMap(({ table, writes }) => {
        if (isSystem(table) || (declared.views.has(table) && !writes)) return [];
        const owner = ownerOf.get(table);
        if (!owner) return [`${path}: the table ${table} has no owner in tools/sql/table-owners.ts.`];
        if (owner === context) return mayName(path) ? [] : [`${path}: only *.store.ts files name tables.`];
        const entry = entries.find((each) => covers(each.file, path) && each.tables.includes(table));
        if (entry) used.add(`${entry.file} ${table}`);
        if (!entry) return [`${path}: ${table} belongs to ${owner}.`];
        return writes && !entry.mayWrite ? [`${path}: a read model writes ${table}.`] : [];
      }),
    ];
  });
  const stale = entries.flatMap(({ file, tables }) =>
    tables
      .filter((table) => !used.has(`${file} ${table}`))
      .map((table) => `${file} no longer names ${table}.`),
  );
  return [...new Set([...faults, ...stale.map((fault) => `tools/sql/table-owners.ts: ${fault}`)])];
}

const readOnly = (entry: Declared) => ({ ...entry, mayWrite: false });
const readWrite = (entry: Declared) => ({ ...entry, mayWrite: true });

const covers = (file: string, path: string): boolean =>
  file.endsWith('/') ? path.startsWith(file) : path === file;

/** Returns the context of a file; the rest of the server owns no tables. */
function contextOf(path: string): string {
  const [, , folder = '', context = ''] = path.split('/');
  if (path.startsWith('server/sql/')) return folder;
  return folder === 'contexts' ? context : folder;
}

const mayName = (path: string): boolean =>
  !path.startsWith('server/src/contexts/') || path.endsWith('.store.ts');

const isSystem = (table: string): boolean => /^(pg_|information_schema\.)/.test(table);

const shorten = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 80);
