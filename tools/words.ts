import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { allowedUses } from './words/allowed-uses.ts';
import { findWords, unusedAllowances } from './words/find-words.ts';

/** Fails if a tracked file uses wording that STYLE.md forbids. Exceptions are listed in words/allowed-uses.ts. */
const root = resolve(import.meta.dirname, '..');
const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
const isChecked = (file: string): boolean =>
  !/^server\/migrations\/00([0-2]\d|3[0-2])_|^tools\/(words\/|test\/words\.)|package-lock|\/generated\/|\.(png|wav|svg)$/.test(
    file,
  );

const files = tracked
  .split('\0')
  .filter((file) => file && isChecked(file))
  .map((path) => ({ path, text: readFileSync(resolve(root, path), 'utf8') }));
const problems = [...findWords(files, allowedUses), ...unusedAllowances(files, allowedUses)];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
