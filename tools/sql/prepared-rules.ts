import { parseStatements, type Tree, visit } from './parse.ts';
import { type Node, parseFile, partsOf, walk } from './syntax.ts';

/**
 * Checks that prepared statements name their columns. PostgreSQL rejects a prepared `select *` once a migration has
 * added a column, while the release that prepared it still runs.
 */
export function checkPrepared(path: string, source: string): string[] {
  if (!/\b(prepared|columns|executePrepared|queryPrepared)\b/.test(source)) return [];
  const faults: string[] = [];
  const variables = new Map<string, Node>();
  walk(parseFile(path, source), (node) => {
    if (node.type === 'VariableDeclarator') variables.set((node.id as Node).name as string, node);
    if (node.type === 'TaggedTemplateExpression' && selectsStar(node)) faults.push(textAt(source, node));
    const compiled = compiledQuery(node);
    const query = compiled && variables.get(compiled);
    if (query && /\bselect\s+\*|\.(selectAll|returningAll)\(/i.test(textAt(source, query)))
      faults.push(textAt(source, query));
  });
  return faults.map(
    (text) => `${path}: a prepared statement selects *: ${text.replace(/\s+/g, ' ').slice(0, 80)}`,
  );
}

const textAt = (source: string, { start, end }: Node): string => source.slice(start, end);

function selectsStar(node: Node): boolean {
  const tag = (node.tag as Node).name;
  const parts = partsOf(node.quasi as Node);
  if (tag === 'columns') return hasStar(`select ${parts.join('')}`);
  return tag === 'prepared' && hasStar(parts.reduce((left, right) => `${left} $1 ${right}`));
}

/** Returns the variable whose compiled query a call prepares, as in `executePrepared(tx, query.compile(tx))`. */
function compiledQuery(node: Node): string | undefined {
  if (node.type !== 'CallExpression') return undefined;
  if (!['executePrepared', 'queryPrepared'].includes((node.callee as Node).name as string)) return undefined;
  const callee = (node.arguments as Node[])[1]?.callee as { property?: Node; object?: Node } | undefined;
  return callee?.property?.name === 'compile' ? (callee.object?.name as string) : undefined;
}

function hasStar(text: string): boolean {
  let found = false;
  for (const { fields } of parseStatements(text)) {
    visit(fields, (kind, { val }) => {
      const column =
        kind === 'ResTarget' ? (val as { ColumnRef?: { fields: Tree[] } } | undefined)?.ColumnRef : undefined;
      if (column?.fields.some((field) => 'A_Star' in field)) found = true;
    });
  }
  return found;
}
