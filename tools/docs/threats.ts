import { globSync } from 'node:fs';
import { join } from 'node:path';
import { readClauses } from '../clauses.ts';

interface Row {
  threat: string;
  /** Tests by path, without the end of the file name. */
  paths: string[];
  /** Tests by clause. */
  clauses: string[];
}

/** Reads the table of threats of docs/operate/secure.md. */
export function readThreats(text: string): Row[] {
  const rows = text.split('\n## ')[1]?.match(/^\|(?! Threat |---).*\|$/gm) ?? [];
  return rows.map((row) => {
    const [threat = '', , tests = ''] = row.replaceAll(/^\| | \|$/g, '').split(' | ');
    return {
      threat,
      paths: [...tests.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
      clauses: tests.match(/\b[A-Z]+-\d{2}\b/g) ?? [],
    };
  });
}

/** Returns what is wrong with the named tests: rows without one, paths without test files, and unknown clauses. */
export function findMissingTests(text: string, root: string): string[] {
  const known = new Set(readClauses(root).map(({ id }) => id));
  return readThreats(text).flatMap(({ threat, paths, clauses }) => [
    ...(paths.length + clauses.length === 0 ? [`no test: ${threat}`] : []),
    ...paths.filter((path) => !hasTests(path, root)).map((path) => `no test file: ${path}`),
    ...clauses.filter((id) => !known.has(id)).map((id) => `no clause: ${id}`),
  ]);
}

function hasTests(path: string, root: string): boolean {
  const cwd = /^(deploy|tools)\//.test(path) ? root : join(root, 'server/test');
  return globSync([`${path}.test.ts`, `${path}.unit.test.ts`, `${path}/**/*.test.ts`], { cwd }).length > 0;
}
