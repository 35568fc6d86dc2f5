import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';

const repository = resolve(import.meta.dirname, '..');

export type Clause = { id: string; text: string; decision: boolean };
export type ClauseTest = { file: string; title: string; ids: string[] };

const Owners = z.strictObject({
  milestones: z.record(z.string(), z.strictObject({ title: z.string(), done: z.boolean() })),
  clauses: z.record(
    z.string(),
    z.strictObject({ owner: z.string(), completedBy: z.array(z.string()).optional() }),
  ),
});
export type Owners = z.infer<typeof Owners>;

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

export function readOwners(root = repository): Owners {
  return Owners.parse(JSON.parse(readFileSync(join(root, 'docs/spec/owners.json'), 'utf8')));
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

// A leading word that only looks like an id, such as a range, is kept, so that it is reported as unknown.
function leadingIds(title: string): string[] {
  const words = title.split(/\s+/);
  const end = words.findIndex((word) => !/^[A-Z]{2,}-\d{2}/.test(word));
  return words.slice(0, end === -1 ? undefined : end);
}

export function findProblems(clauses: Clause[], owners: Owners, tests: ClauseTest[]): string[] {
  const clauseIds = new Set(clauses.map(({ id }) => id));
  const tested = new Set(tests.flatMap(({ ids }) => ids));
  const repeated = clauses.filter(({ id }, index) => clauses.findIndex((clause) => clause.id === id) < index);
  return [
    ...repeated.map(({ id }) => `${id} is listed twice in docs/spec/clauses.md`),
    ...clauses.flatMap(({ id }) => problemsOfClause(id, owners, tested.has(id))),
    ...Object.keys(owners.clauses)
      .filter((id) => !clauseIds.has(id))
      .map((id) => `${id} is in docs/spec/owners.json but not in docs/spec/clauses.md`),
    ...tests.flatMap(({ file, title, ids }) =>
      ids.filter((id) => !clauseIds.has(id)).map((id) => `${id} is not a clause: ${file} "${title}"`),
    ),
  ];
}

function problemsOfClause(id: string, owners: Owners, isTested: boolean): string[] {
  const entry = owners.clauses[id];
  if (!entry) return [`${id} has no owner in docs/spec/owners.json`];
  const unknown = [entry.owner, ...(entry.completedBy ?? [])].filter((name) => !owners.milestones[name]);
  if (unknown.length > 0) return [`${id} is owned by an unknown milestone: ${unknown.join(', ')}`];
  const isDue = owners.milestones[entry.owner]?.done === true;
  return isDue && !isTested ? [`${id} has no test, and its owner ${entry.owner} is done`] : [];
}

function describeClause({ id, text, decision }: Clause, owners: Owners, tests: ClauseTest[]): string {
  const { owner = 'no owner', completedBy = [] } = owners.clauses[id] ?? {};
  const proofs = tests.filter(({ ids }) => ids.includes(id));
  const lines = proofs.map(({ file, title }) => `    ✓ ${file}\n      ${title}`);
  const by = [owner, ...completedBy].join(', then ');
  const heading = `${id}  [${by}${decision ? '; decision' : ''}]  ${text}`;
  return [heading, ...(lines.length > 0 ? lines : ['    – no test'])].join('\n');
}

function describeMilestones(clauses: Clause[], owners: Owners, tests: ClauseTest[]): string[] {
  const tested = new Set(tests.flatMap(({ ids }) => ids));
  return Object.entries(owners.milestones).map(([name, { title, done }]) => {
    const owned = clauses.filter(({ id }) => owners.clauses[id]?.owner === name);
    const covered = owned.filter(({ id }) => tested.has(id)).length;
    const share = owned.length === 0 ? 'owns no clause' : `${covered} of ${owned.length} clauses have a test`;
    return `${name.padEnd(9)} ${done ? 'done ' : 'later'}  ${share} (${title})`;
  });
}

export function main(argv: string[], root = repository): { lines: string[]; exitCode: number } {
  const { values, positionals } = parseArgs({
    args: argv,
    options: { check: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const [clauses, owners, tests] = [readClauses(root), readOwners(root), readTests(root)];
  const problems = findProblems(clauses, owners, tests);
  const exitCode = problems.length > 0 ? 1 : 0;
  if (values.check) return { lines: problems, exitCode };

  const selected = clauses.filter(
    ({ id }) => positionals.length === 0 || positionals.some((prefix) => id.startsWith(prefix)),
  );
  const listing = selected.map((clause) => describeClause(clause, owners, tests));
  return { lines: [...listing, '', ...describeMilestones(clauses, owners, tests)], exitCode: 0 };
}

if (import.meta.main) {
  const { lines, exitCode } = main(process.argv.slice(2));
  if (lines.length > 0) console.log(lines.join('\n'));
  process.exitCode = exitCode;
}
