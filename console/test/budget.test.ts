import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { recordMetric } from './harness/record-metric.ts';

interface Chunk {
  file: string;
  name?: string;
  imports?: string[];
  dynamicImports?: string[];
}

const budgetBytes = 250_000;
const maxFiles = 15;
const directory = inject('consoleDir');
const manifest = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8')) as Record<string, Chunk>;

/** Returns the files that a browser loads for these entries, each once. */
function loaded(entries: string[]): Set<string> {
  const seen = new Set<string>();
  const visit = (name: string): void => {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`${name} is not in the build manifest.`);
    if (seen.has(chunk.file)) return;
    seen.add(chunk.file);
    for (const each of chunk.imports ?? []) visit(each);
  };
  for (const entry of entries) visit(entry);
  return seen;
}

const compressedBytes = (files: Set<string>): number =>
  [...files]
    .filter((file) => file.endsWith('.js'))
    .reduce((sum, file) => sum + statSync(join(directory, `${file}.br`)).size, 0);

/** Entries of every page. */
const page = Object.keys(manifest).filter((name) => ['boot', 'first'].includes(manifest[name]?.name ?? ''));
const shell = [...page, 'src/app/shell.tsx', 'src/features/phone/dock.tsx'];
const home = [
  'src/features/home/page.tsx',
  ...(manifest['src/features/home/page.tsx']?.dynamicImports ?? []),
];
const logIn = [...page, 'src/features/auth/login.tsx'];
const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

test.each(['src/locales/pt-BR/index.ts', 'src/locales/en/index.ts'])(
  'login and home load less than 250 kB of compressed JavaScript with %s',
  (language) => {
    const bytes = compressedBytes(loaded([...logIn, ...shell, ...home, language]));
    recordMetric(`JavaScript of login and home, ${language}`, kilobytes(bytes));
    expect(bytes).toBeLessThan(budgetBytes);
  },
);

test('the login page stays within the JavaScript budget', () => {
  const bytes = compressedBytes(loaded([...logIn, 'src/locales/pt-BR/index.ts']));
  recordMetric('JavaScript of the login page', kilobytes(bytes));
  expect(bytes).toBeLessThan(budgetBytes);
});

test('the first screens load only a few files', () => {
  const files = loaded([...shell, ...home, 'src/locales/pt-BR/index.ts']);
  expect([...files].filter((file) => file.endsWith('.js')).length).toBeLessThanOrEqual(maxFiles);
});

test('the typeface is one file of at most 60 kB', () => {
  const fonts = readdirSync(join(directory, 'assets')).filter((file) => /\.(woff2?|ttf|otf)$/.test(file));
  const [bytes = 0, ...others] = fonts.map((file) => statSync(join(directory, 'assets', file)).size);
  recordMetric('typeface', kilobytes(bytes));
  expect(others).toEqual([]);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(60_000);
});
