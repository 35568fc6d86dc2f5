import { parseSync } from 'oxc-parser';

/** A node of the ESTree of a TypeScript file. */
export interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

export function parseFile(path: string, source: string): Node {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  return program as unknown as Node;
}

/** Visits every node in the order of the source. */
export function walk(tree: unknown, on: (node: Node) => void): void {
  if (Array.isArray(tree)) {
    for (const item of tree) walk(item, on);
    return;
  }
  if (typeof tree !== 'object' || tree === null) return;
  if ('type' in tree) on(tree as Node);
  for (const value of Object.values(tree)) walk(value, on);
}

/** Returns the texts between the interpolations of a template. */
export const partsOf = (template: Node): string[] =>
  (template.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
