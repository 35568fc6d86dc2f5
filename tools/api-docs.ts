import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { apiPages } from './docs/api-pages.ts';
import { describeApi } from './docs/describe-api.ts';
import { errorPage, errorPageInPortuguese } from './docs/error-pages.ts';
import { inlineSchemas } from './docs/inline-schemas.ts';
import type { Description } from './docs/openapi.ts';
import { limitPage } from './docs/rule-pages.ts';
import { scopePage } from './docs/scope-page.ts';

/** Generates docs/reference and docs/pt-BR/reference from the code. With --check, only verifies that it is up to date. */
const directory = resolve(import.meta.dirname, '../docs');

const description = inlineSchemas(JSON.parse(JSON.stringify(await describeApi())) as Description);
const pages: Record<string, string> = {
  'reference/errors.md': errorPage(description),
  'pt-BR/reference/errors.md': errorPageInPortuguese(description),
  'reference/limits.md': limitPage(),
  'reference/scopes.md': scopePage(description),
  ...Object.fromEntries(
    Object.entries(apiPages(description)).map(([name, text]) => [`reference/api/${name}`, text]),
  ),
};

if (process.argv.includes('--check')) {
  const stale = Object.entries(pages).filter(([name, text]) => readIfThere(name) !== text);
  const left = written().filter((name) => !(name in pages));
  if (stale.length + left.length > 0) {
    const names = [...stale.map(([name]) => name), ...left].join(', ');
    process.stderr.write(`Out of date: ${names}. Run: node tools/api-docs.ts\n`);
    process.exitCode = 1;
  }
} else {
  for (const name of written()) rmSync(join(directory, name));
  for (const [name, text] of Object.entries(pages)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
}

function readIfThere(name: string): string | undefined {
  return written().includes(name) ? readFileSync(join(directory, name), 'utf8') : undefined;
}

function written(): string[] {
  return globSync('{reference,pt-BR/reference}/**/*.md', { cwd: directory });
}
