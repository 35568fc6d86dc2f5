import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { main, readClauses, readTests } from '../clauses.ts';

let root: string;

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function writeTests(titles: string[]): void {
  write('server/test/some.test.ts', titles.map((title) => `it('${title}', () => {});`).join('\n'));
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'disca-clauses-'));
  write(
    'docs/spec/clauses.md',
    '| id | clause |\n|---|---|\n| ONE-01 | It is. |\n| ONE-02 | It is `x (D)` too. (D) |\n| TWO-01 | Later. |\n',
  );
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

  it('reports nothing when every clause has a test', () => {
    writeTests(['ONE-01 ONE-02 hold', 'TWO-01 holds', 'SHA-256 is no clause', 'a plain title']);
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

  it('reports a clause without a test and a title with an unknown id or a range', () => {
    writeTests(['ONE-01 TWO-01 hold', 'ONE-99 is made up', 'ONE-01…02 is a range']);
    const { lines, exitCode } = main(['--check'], root);
    expect(exitCode).toBe(1);
    expect(lines).toEqual([
      'ONE-02 has no test',
      'ONE-99 is not a clause: server/test/some.test.ts "ONE-99 is made up"',
      'ONE-01…02 is not a clause: server/test/some.test.ts "ONE-01…02 is a range"',
    ]);
  });

  it('lists clauses with their tests, of one section if asked', () => {
    writeTests(['ONE-01 holds']);
    const { lines } = main(['ONE'], root);
    expect(lines).toEqual([
      'ONE-01  It is.\n    ✓ server/test/some.test.ts\n      ONE-01 holds',
      'ONE-02  [decision]  It is `x (D)` too.\n    – no test',
    ]);
  });
});

describe('the clauses of this repository', () => {
  it('are listed by the command line', () => {
    const listing = execFileSync(process.execPath, ['tools/clauses.ts', 'AUTH-01'], { encoding: 'utf8' });
    expect(listing).toMatch(/^AUTH-01 {2}\S/);
  });
});
