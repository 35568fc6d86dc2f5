import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { main, readClauses, readOwners, readTests } from '../clauses.ts';

let root: string;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function writeTests(titles: string[]): void {
  write('server/test/some.test.ts', titles.map((title) => `it('${title}', () => {});`).join('\n'));
}

function writeOwners(clauses: Record<string, { owner: string; completedBy?: string[] }>): void {
  const milestones = { first: { title: 'First', done: true }, second: { title: 'Second', done: false } };
  write('docs/spec/owners.json', JSON.stringify({ milestones, clauses }));
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'disca-clauses-'));
  write(
    'docs/spec/clauses.md',
    '| id | clause |\n|---|---|\n| ONE-01 | It is. |\n| ONE-02 | It is `x (D)` too. (D) |\n| TWO-01 | Later. |\n',
  );
  writeOwners({
    'ONE-01': { owner: 'first', completedBy: ['second'] },
    'ONE-02': { owner: 'first' },
    'TWO-01': { owner: 'second' },
  });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the clauses command', () => {
  it('reads clauses and distinguishes decisions from the specification', () => {
    expect(readClauses(root)).toEqual([
      { id: 'ONE-01', text: 'It is.', decision: false },
      { id: 'ONE-02', text: 'It is `x (D)` too.', decision: true },
      { id: 'TWO-01', text: 'Later.', decision: false },
    ]);
  });

  it('reports nothing when every due clause has a test', () => {
    writeTests(['ONE-01 ONE-02 hold', 'SHA-256 is no clause', 'a plain title']);
    expect(main(['--check'], root)).toEqual({ lines: [], exitCode: 0 });
  });

  it('finds titles on their own line, in tables and with escaped quotes', () => {
    const [inTable, inQuotes] = ["ONE-01 doesn\\'t mind %s", 'ONE-02 too'];
    write('a/b.test.ts', `it.each([\n  [1],\n])(\n  '${inTable}',\n  () => {},\n);\ntest("${inQuotes}", f);`);
    write('node_modules/c.test.ts', `it('${inQuotes}')`);
    expect(readTests(root)).toEqual([
      { file: 'a/b.test.ts', title: "ONE-01 doesn't mind %s", ids: ['ONE-01'] },
      { file: 'a/b.test.ts', title: 'ONE-02 too', ids: ['ONE-02'] },
    ]);
  });

  it('reports a due clause without a test and a title with an unknown id or a range', () => {
    writeTests(['ONE-01 holds', 'ONE-99 is made up', 'ONE-01…02 is a range']);
    const { lines, exitCode } = main(['--check'], root);
    expect(exitCode).toBe(1);
    expect(lines).toEqual([
      'ONE-02 has no test, and its owner first is done',
      'ONE-99 is not a clause: server/test/some.test.ts "ONE-99 is made up"',
      'ONE-01…02 is not a clause: server/test/some.test.ts "ONE-01…02 is a range"',
    ]);
  });

  it('reports a clause without an owner, an unknown owner and an owner of nothing', () => {
    writeTests(['ONE-01 ONE-02 TWO-01 hold']);
    writeOwners({ 'ONE-01': { owner: 'first' }, 'ONE-02': { owner: 'third' }, 'TWO-09': { owner: 'first' } });
    expect(main(['--check'], root).lines).toEqual([
      'ONE-02 is owned by an unknown milestone: third',
      'TWO-01 has no owner in docs/spec/owners.json',
      'TWO-09 is in docs/spec/owners.json but not in docs/spec/clauses.md',
    ]);
  });

  it('lists clauses with owners and tests, of one section if asked', () => {
    writeTests(['ONE-01 holds']);
    const { lines } = main(['ONE'], root);
    expect(lines.slice(0, 2)).toEqual([
      'ONE-01  [first, then second]  It is.\n    ✓ server/test/some.test.ts\n      ONE-01 holds',
      'ONE-02  [first; decision]  It is `x (D)` too.\n    – no test',
    ]);
    expect(lines.at(-2)).toBe('first     done   1 of 2 clauses have a test (First)');
  });
});

describe('the clauses of this repository', () => {
  it('each have one known owner', () => {
    const { clauses, milestones } = readOwners();
    expect(Object.keys(clauses)).toEqual(readClauses().map(({ id }) => id));
    for (const { owner } of Object.values(clauses)) expect(Object.keys(milestones)).toContain(owner);
  });

  it('are listed by the command line', () => {
    const listing = execFileSync(process.execPath, ['tools/clauses.ts', 'AUTH-01'], { encoding: 'utf8' });
    expect(listing).toContain('AUTH-01  [house]');
  });
});
