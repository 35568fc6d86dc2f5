import {
  isDynamic,
  parseStatements,
  relationName,
  type SqlStatement,
  type Tree,
  treesOf,
  visit,
} from './parse.ts';
import { type Node, parseFile, partsOf, walk } from './syntax.ts';

/** A table that a file names, and whether it writes there. */
export interface TableUse {
  table: string;
  writes: boolean;
}

export interface Uses {
  tables: TableUse[];
  /** Table names computed by the code, which cannot be read from the source. */
  unresolved: string[];
}

/** Returns the tables that SQL names, without the names of its own common table expressions. */
export function tablesOfSql(text: string): Uses {
  const statements = parseStatements(text);
  const uses = statements.map(tablesOfStatement);
  return {
    tables: uses.flatMap(({ tables }) => tables),
    unresolved: uses.flatMap(({ unresolved }) => unresolved),
  };
}

function tablesOfStatement(statement: SqlStatement): Uses {
  const trees = treesOf(statement);
  const tables: TableUse[] = [];
  const unresolved = isDynamic(statement) ? ['EXECUTE'] : [];
  const local = new Set<string>();
  const written = new Set<unknown>();
  visit(trees, (kind, fields) => {
    if (kind === 'CommonTableExpr') local.add(fields.ctename as string);
    // FOR UPDATE OF names aliases, not tables.
    if (kind === 'LockingClause')
      for (const { RangeVar } of (fields.lockedRels ?? []) as Tree[]) written.add(RangeVar);
  });
  const note = (relation: unknown, writes: boolean): void => {
    written.add(relation);
    tables.push({ table: relationName(relation as Tree), writes });
  };
  const onNode = (kind: string, fields: Tree): void => {
    if (['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'].includes(kind)) note(fields.relation, true);
    if (kind === 'CreateTrigStmt' || kind === 'AlterTableStmt') note(fields.relation, false);
    if (kind === 'RangeVar' && !written.has(fields))
      tables.push({ table: relationName(fields), writes: false });
  };
  onNode(statement.kind, statement.fields);
  visit(trees, onNode);
  return { tables: tables.filter(({ table }) => !local.has(table)), unresolved };
}

const joins = ['innerJoin', 'leftJoin', 'rightJoin', 'fullJoin', 'crossJoin'];
const readers = new Set(['selectFrom', ...joins, ...joins.map((join) => `${join}Lateral`)]);
const writers = new Set(['insertInto', 'updateTable', 'deleteFrom', 'mergeInto', 'replaceInto']);

/** Returns the tables that a TypeScript file names in calls of the query builder and in `sql` and `prepared` texts. */
export function tablesOfSource(path: string, source: string): Uses {
  const tables: TableUse[] = [];
  const unresolved: string[] = [];
  const local = new Set<string>();
  const note = (argument: Node, writes: boolean): void => {
    if (argument.type === 'ArrayExpression') {
      for (const element of argument.elements as Node[]) note(element, writes);
    } else if (typeof argument.value === 'string') {
      tables.push({ table: argument.value.split(' as ')[0] ?? '', writes });
    } else if (!isSubquery(argument)) {
      unresolved.push(source.slice(argument.start, argument.end));
    }
  };
  walk(parseFile(path, source), (node) => {
    if (node.type === 'TaggedTemplateExpression') {
      if (!['sql', 'prepared'].includes((node.tag as Node).name as string)) return;
      const uses = tablesOfTemplate(partsOf(node.quasi as Node));
      if (!uses) unresolved.push(source.slice(node.start, node.end));
      tables.push(...(uses?.tables ?? []));
      for (const name of uses?.local ?? []) local.add(name);
      return;
    }
    if (node.type !== 'CallExpression') return;
    const { property, object } = node.callee as { property?: Node; object?: Node };
    const method = property?.name as string | undefined;
    const [first] = node.arguments as Node[];
    if (!method || !first) return;
    if (readers.has(method) || writers.has(method)) note(first, writers.has(method));
    if (method === 'with' && typeof first.value === 'string') local.add(first.value);
    if (object?.name === 'sql' && ['table', 'id', 'raw'].includes(method)) {
      if (typeof first.value === 'string') tables.push({ table: first.value, writes: false });
      else if (method !== 'id') unresolved.push(source.slice(node.start, node.end));
    }
  });
  return { tables: tables.filter(({ table }) => !local.has(table)), unresolved };
}

/** Returns whether an argument is a subquery, whose tables are found inside it. */
const isSubquery = (argument: Node): boolean =>
  ['ArrowFunctionExpression', 'FunctionExpression', 'CallExpression'].includes(argument.type);

/** Texts that may stand in a statement where the code interpolates a fragment. */
const substitutes = [
  ...[' $1 ', ' x ', ' select 1 ', ' (select 1) x ', ' true ', ' ', ' x as (select 1) '],
  ...[' set x = 1 ', ' x where true '],
];
/** Texts that may surround a fragment. */
const frames = [
  ['', ''],
  ['select ', ''],
  ['select 1 where ', ''],
  ['select 1 from ', ''],
  ['select 1 ', ''],
  ['with ', ' select 1'],
  ['select 1 order by ', ''],
  ['select 1 ', ' 1'],
  ['select 1 ', ' select 1'],
  ['select 1 = ', ''],
  ['update x ', ''],
] as const;
const maxAttempts = 400;

/** Parses a template, whole or as a fragment of a statement; the tables of interpolated fragments are found there. */
function tablesOfTemplate(parts: string[]): { tables: TableUse[]; local: Set<string> } | undefined {
  for (const [before, after] of frames) {
    const text = completed(before, parts, after);
    if (text === undefined) continue;
    const local = new Set<string>();
    for (const { fields } of parseStatements(text)) {
      visit(fields, (kind, { ctename }) => {
        if (kind === 'CommonTableExpr') local.add(ctename as string);
      });
    }
    return { tables: tablesOfSql(text).tables.filter(({ table }) => table !== 'x'), local };
  }
  return undefined;
}

/** Replaces interpolations by text that the grammar accepts there; returns undefined if nothing fits. */
function completed(before: string, parts: string[], after: string): string | undefined {
  const choices = parts.slice(1).map(() => 0);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const starts: number[] = [];
    let text = before + parts[0];
    for (const [index, part] of parts.slice(1).entries()) {
      starts.push(text.length);
      text += substitutes[choices[index] ?? 0] + part;
    }
    text += after;
    const position = faultAt(text);
    if (position === undefined) return text;
    let index = starts.findLastIndex((start) => start <= position);
    while (index >= 0 && choices[index] === substitutes.length - 1) {
      choices[index] = 0;
      index -= 1;
    }
    if (index < 0) return undefined;
    choices[index] = (choices[index] ?? 0) + 1;
  }
  return undefined;
}

function faultAt(text: string): number | undefined {
  try {
    parseStatements(text);
    return undefined;
  } catch (error) {
    return (error as { sqlDetails?: { cursorPosition: number } }).sqlDetails?.cursorPosition ?? text.length;
  }
}
