import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const repository = resolve(import.meta.dirname, '..');

export type Clause = { id: string; text: string; decision: boolean };
export type ClauseTest = { file: string; title: string; ids: string[] };

const clauseRow = /^\| (?<id>[A-Z]+-\d{2}) \| (?<text>.+?)(?<decision> \(D\))? \|$/;
// Matches the title after it(, test( or describe(, or after the closing parenthesis of a table: it.each(…)(.
const titleOfTest =
  /(?:\b(?:it|test|describe)(?:\.\w+)*|\))\s*\(\s*(?<quote>['"`])(?<title>[A-Z]{2,}-\d{2}(?!\d)(?:\\.|(?!\k<quote>)[^\\])*)\k<quote>/g;

export function readClauses(root = repository): Clause[] {
  const lines = readFileSync(join(root, 'docs/spec/clauses.md'), 'utf8').split('\n');
  return lines.flatMap((line) => {
    const { id, text, decision } = clauseRow.exec(line)?.groups ?? {};
    return id && text ? [{ id, text, decision: decision !== undefined }] : [];
  });
}

export function readTests(root = repository): ClauseTest[] {
  const isHidden = (path: string) => /(^|\/)(node_modules|\.[^/]+)(\/|$)/.test(path);
  const files = globSync('**/*.test.ts', { cwd: root, exclude: isHidden }).sort();
  return files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(titleOfTest)].map((match) => {
      const title = (match.groups?.title ?? '').replace(/\\(.)/g, '$1');
      return { file, title, ids: leadingIds(title) };
    }),
  );
}

// Returns the leading ids of a title. A word that only looks like an id, such as a range, is kept, so that it is
// reported as unknown.
function leadingIds(title: string): string[] {
  const words = title.split(/\s+/);
  const end = words.findIndex((word) => !/^[A-Z]{2,}-\d{2}/.test(word));
  return words.slice(0, end === -1 ? undefined : end);
}

export function findProblems(clauses: Clause[], tests: ClauseTest[]): string[] {
  const clauseIds = new Set(clauses.map(({ id }) => id));
  const tested = new Set(tests.flatMap(({ ids }) => ids));
  const repeated = clauses.filter(({ id }, index) => clauses.findIndex((clause) => clause.id === id) < index);
  return [
    ...repeated.map(({ id }) => `${id} is listed twice in docs/spec/clauses.md`),
    ...clauses.filter(({ id }) => !tested.has(id)).map(({ id }) => `${id} has no test`),
    ...tests.flatMap(({ file, title, ids }) =>
      ids.filter((id) => !clauseIds.has(id)).map((id) => `${id} is not a clause: ${file} "${title}"`),
    ),
  ];
}

function describeClause({ id, text, decision }: Clause, tests: ClauseTest[]): string {
  const proofs = tests.filter(({ ids }) => ids.includes(id));
  const lines = proofs.map(({ file, title }) => `    ✓ ${file}\n      ${title}`);
  const heading = `${id}  ${decision ? '[decision]  ' : ''}${text}`;
  return [heading, ...(lines.length > 0 ? lines : ['    – no test'])].join('\n');
}

export function main(argv: string[], root = repository): { lines: string[]; exitCode: number } {
  const { values, positionals } = parseArgs({
    args: argv,
    options: { check: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [clauses, tests] = [readClauses(root), readTests(root)];
  const problems = findProblems(clauses, tests);
  const exitCode = problems.length > 0 ? 1 : 0;
  if (values.check) return { lines: problems, exitCode };

  const selected = clauses.filter(
    ({ id }) => positionals.length === 0 || positionals.some((prefix) => id.startsWith(prefix)),
  );
  return { lines: selected.map((clause) => describeClause(clause, tests)), exitCode: 0 };
}

if (import.meta.main) {
  const { lines, exitCode } = main(process.argv.slice(2));
  if (lines.length > 0) console.log(lines.join('\n'));
  process.exitCode = exitCode;
}
