export type FieldType =
  | 'text'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'timestamp'
  | 'uuid'
  | 'enum'
  | 'json'
  | 'tags';

export interface FieldDefinition {
  /** The column of the list's source query; by default the field's API name. */
  column?: string;
  type: FieldType;
  /** The values of an `enum`. */
  values?: readonly string[];
  aliases?: readonly string[];
  /** False excludes the field from `where`; it can still be sorted by and returned. */
  filterable?: boolean;
  /** Only for columns with an index in this order, unless the list is always short. */
  sortable?: boolean;
  /** The list can be sorted by this field within so many days, which are read and sorted, see `sort-window.ts`. */
  sortWindowDays?: number;
  /** An indexed column without nulls, to sort by instead. */
  sortColumn?: string;
  nullable?: boolean;
  /** For `timestamp`: the zone of its days, if it does not depend on the account. */
  timeZone?: string;
  /** An indexed column with the reversed text, for patterns such as `%1234`. */
  reversedColumn?: string;
  /** Contains telephone numbers: a value without an operator finds them in every notation, see `loose-equality.ts`. */
  isPhone?: boolean;
  /** Contains names or e-mail addresses: a value without an operator finds them without case and accents. */
  isFolded?: boolean;
  /** For numbers stored as typed: a column with their digits only. */
  digitsColumn?: string;
  /** The tie-breaker is a UUIDv7 of this time, give or take this many ms: a time range is an id range. */
  clockSkewMs?: number;
  /** For `json`: the table with one row per top-level pair, see `seeks.ts`. */
  pairsTable?: string;
  /** For `boolean`: a view with the tie-breakers, as `id`, of all rows for which it is true, and perhaps of others. */
  trueIds?: string;
  /** A table with some of the rows of the list, which has this column for them; it is null for the others. */
  rowsTable?: RowsTable;
  /** For `enum`: a small table that contains exactly the rows with some of the values, see `members.ts`. */
  membersTable?: MembersTable;
}

export interface RowsTable {
  table: string;
  /** Its column with the tie-breaker of the list. */
  id: string;
}

export interface MembersTable {
  table: string;
  /** Its column with the tie-breaker of the list. */
  id: string;
  /** Its column with the value. */
  column: string;
  values: readonly string[];
  /** A column of the list's source that is set exactly for the rows with other values. */
  setForOthers: string;
}

/** Maximum number of rows that one page may read. Lists that are always short have none. */
export interface ScanBudget {
  /** Rows read in page order, adjacent on disk. */
  walkRows: number;
  /** Rows read through another index, each from a different disk page. */
  seekRows: number;
  /**
   * Fields with an index (account, column, tie-breaker), most selective first. A folded field among them has values in
   * ASCII and collation "C", see `spellings.ts`.
   */
  seeks: readonly string[];
}

export interface ListDefinition {
  name: string;
  fields: Record<string, FieldDefinition>;
  defaultOrder: readonly string[];
  /** A field with a unique, non-null column that makes every order total. */
  tieBreaker: string;
  includes?: readonly string[];
  /** Default and maximum number of items per page. */
  maxLimit: number;
  scan?: ScanBudget;
  statementTimeoutMs?: number;
}

export interface Field extends FieldDefinition {
  name: string;
  column: string;
}

export interface Order {
  column: string;
  type: FieldType;
  nullable: boolean;
  descending: boolean;
  windowDays?: number;
}

export interface List {
  name: string;
  fields: ReadonlyMap<string, Field>;
  /** Fields by every name a filter may use, aliases included. */
  fieldsByName: ReadonlyMap<string, Field>;
  defaultOrder: readonly string[];
  tieBreaker: Field;
  includes: readonly string[];
  maxLimit: number;
  scan: ScanBudget | undefined;
  statementTimeoutMs: number;
}

const defaultStatementTimeoutMs = 2_000;

export function defineList(definition: ListDefinition): List {
  const fields = new Map<string, Field>();
  const fieldsByName = new Map<string, Field>();
  for (const [name, each] of Object.entries(definition.fields)) {
    const field = { ...each, name, column: each.column ?? name };
    fields.set(name, field);
    for (const alias of [name, ...(each.aliases ?? [])]) {
      if (fieldsByName.has(alias)) throw new Error(`List ${definition.name} declares ${alias} twice.`);
      fieldsByName.set(alias, field);
    }
  }
  const tieBreaker = fields.get(definition.tieBreaker);
  if (tieBreaker === undefined) throw new Error(`List ${definition.name} has no field for its tie-breaker.`);
  const unknownSeek = definition.scan?.seeks.find((name) => !fields.has(name));
  if (unknownSeek !== undefined) throw new Error(`List ${definition.name} cannot seek by ${unknownSeek}.`);
  return {
    name: definition.name,
    fields,
    fieldsByName,
    defaultOrder: definition.defaultOrder,
    tieBreaker,
    includes: definition.includes ?? [],
    maxLimit: definition.maxLimit,
    scan: definition.scan,
    statementTimeoutMs: definition.statementTimeoutMs ?? defaultStatementTimeoutMs,
  };
}
