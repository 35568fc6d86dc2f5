import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const sources = join(import.meta.dirname, '../src');
const library = join(dirname(createRequire(import.meta.url).resolve('@mantine/core')), '../esm/index.mjs');
const read = (file: string): string => readFileSync(file, 'utf8');

/** Returns the Mantine components that our sources import. */
function usedNames(): Set<string> {
  const lists = globSync('**/*.{ts,tsx}', { cwd: sources }).flatMap((file) =>
    [...read(join(sources, file)).matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].map(
      ([, list = '']) => list,
    ),
  );
  const names = lists.flatMap((list) => list.split(',').map((name) => name.trim()));
  return new Set(names.filter((name) => name && !name.startsWith('type ')));
}

/** Returns every library file of these components. */
function collectFiles(names: Set<string>): Set<string> {
  const files = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file) || !existsSync(file)) return;
    files.add(file);
    for (const [, path = ''] of read(file).matchAll(/from "(\.[^"]+)"/g)) visit(join(dirname(file), path));
  };
  for (const [, list = '', path = ''] of read(library).matchAll(/import \{([^}]*)\} from "([^"]+)"/g))
    if (list.split(',').some((name) => names.has(name.trim().split(' as ').at(-1) ?? '')))
      visit(join(dirname(library), path));
  return files;
}

test('the styles of all used Mantine components are imported, and no others', () => {
  const required = [...collectFiles(usedNames())]
    .filter((file) => file.endsWith('.module.mjs'))
    .map((file) => basename(file, '.module.mjs'));
  const imported = [...read(join(sources, 'app/library.css')).matchAll(/styles\/([A-Z]\w+)\.css/g)];
  expect(imported.map(([, name]) => name).sort()).toEqual(required.sort());
});
