export type FieldType = 'text' | 'number' | 'integer' | 'boolean' | 'timestamp' | 'uuid' | 'enum' | 'json';

export interface FieldDefinition {
  /** The column of the list's source query; the API's own name unless given. */
  column?: string;
  type: FieldType;
  /** The values of an `enum`. */
  values?: readonly string[];
  aliases?: readonly string[];
  /** False keeps a field out of `where`; it can still be sorted by and returned. */
  filterable?: boolean;
  /** Only columns that an index serves in order belong here, unless the list is always short. */
  sortable?: boolean;
  /** The column to sort by instead, where it has the same order and an index. */
  sortColumn?: string;
  nullable?: boolean;
  /** An indexed column that holds the text backwards, so that `%1234` is found by its end. */
  reversedColumn?: string;
  /** The tie-breaker is a UUIDv7 made at this time, give or take so much: a range of time is a range of ids. */
  clockSkewMs?: number;
  /** For `json`: the table with one row for each top-level pair, see `seeks.ts`. */
  pairsTable?: string;
}

/** How many rows one page may read. Lists without it are short by nature. */
export interface ScanBudget {
  /** Rows read in the order of the page, neighbours on disk. */
  walkRows: number;
  /** Rows read through another index, each on a page of its own. */
  seekRows: number;
  /** Fields with an index (account, column, tie-breaker), the most selective first. */
  seeks: readonly string[];
}

export interface ListDefinition {
  name: string;
  fields: Record<string, FieldDefinition>;
  defaultOrder: readonly string[];
  /** The field with a unique, never null column that makes every order total. */
  tieBreaker: string;
  includes?: readonly string[];
  /** Items on a page when the filter does not say, and the most it may ask for. */
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
    for (const known of [name, ...(each.aliases ?? [])]) {
      if (fieldsByName.has(known)) throw new Error(`List ${definition.name} declares ${known} twice.`);
      fieldsByName.set(known, field);
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
