import { loadModule, parsePlPgSQLSync, parseSync } from 'libpg-query';

await loadModule();

/** A node of PostgreSQL's syntax tree: one key, the kind, with the node's fields. */
export type Tree = Record<string, unknown>;

export interface SqlStatement {
  kind: string;
  fields: Tree;
  text: string;
}

/** Parses SQL with PostgreSQL's own grammar. */
export function parseStatements(text: string): SqlStatement[] {
  const bytes = Buffer.from(text);
  const { stmts = [] } = parseSync(text) as {
    stmts?: { stmt: Tree; stmt_location?: number; stmt_len?: number }[];
  };
  return stmts.map(({ stmt, stmt_location: start = 0, stmt_len: length = bytes.length }) => {
    const [[kind, fields] = ['', {}]] = Object.entries(stmt) as [string, Tree][];
    return { kind, fields, text: bytes.subarray(start, start + length).toString() };
  });
}

/** Visits every node of a tree with its kind. */
export function visit(tree: unknown, on: (kind: string, fields: Tree) => void): void {
  if (Array.isArray(tree)) {
    for (const item of tree) visit(item, on);
    return;
  }
  if (typeof tree !== 'object' || tree === null) return;
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) on(key, value as Tree);
    visit(value, on);
  }
}

/** Joins a list of name parts, as in `edge.location`; `public` is left out. */
export function nameOf(parts: unknown): string {
  const names = (parts as { String: { sval: string } }[]).map((part) => part.String.sval);
  return names.filter((name, index) => index > 0 || names.length === 1 || name !== 'public').join('.');
}

/** Returns the name of a table or view, as in `edge.location`. */
export function relationName({ schemaname, relname }: Tree): string {
  return schemaname && schemaname !== 'public'
    ? `${schemaname as string}.${relname as string}`
    : `${relname as string}`;
}

/** Returns the trees of a statement, and of the queries inside the body if it creates a function. */
export function treesOf({ kind, fields, text }: SqlStatement): unknown[] {
  if (kind !== 'CreateFunctionStmt') return [fields];
  const options = new Map(
    (fields.options as { DefElem: { defname: string; arg: Tree } }[]).map(({ DefElem }) => [
      DefElem.defname,
      DefElem.arg,
    ]),
  );
  const language = (options.get('language') as { String?: { sval: string } } | undefined)?.String?.sval;
  if (language === 'plpgsql') return [fields, ...queriesOf(text).map(parseQuery)];
  // A quoted body. A body in the SQL standard's form is part of the statement's own tree.
  const body = options.get('as') as { List: { items: { String: { sval: string } }[] } } | undefined;
  return [fields, ...(body?.List.items ?? []).map(({ String: { sval } }) => parseSync(sval))];
}

/** Returns whether a function builds statements at run time. */
export const isDynamic = ({ kind, text }: SqlStatement): boolean =>
  kind === 'CreateFunctionStmt' && /\bEXECUTE\s+(format|')/i.test(text);

interface Query {
  text: string;
  /** As in PostgreSQL's RawParseMode: 0 is a statement, 2 an expression, 3 to 5 an assignment. */
  mode: number;
}

/** Returns the queries and expressions of a function in PL/pgSQL. */
function queriesOf(text: string): Query[] {
  const queries: Query[] = [];
  visit(parsePlPgSQLSync(text), (kind, { query, parseMode }) => {
    if (kind === 'PLpgSQL_expr') queries.push({ text: query as string, mode: (parseMode as number) ?? 0 });
  });
  return queries;
}

function parseQuery({ text, mode }: Query): unknown {
  if (mode === 0) return parseSync(text);
  if (mode === 2) return parseSync(`select ${text}`);
  return parseSync(`select ${text.slice(text.indexOf('=') + 1)}`);
}

/** Returns the names of the functions that a tree calls. */
export function calledFunctions(trees: unknown[]): Set<string> {
  const names = new Set<string>();
  visit(trees, (kind, { funcname }) => {
    if (kind === 'FuncCall') names.add(nameOf(funcname));
  });
  return names;
}
