import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { theme } from '../src/app/theme.ts';

const sources = join(import.meta.dirname, '../src');
/** The phone is one dense panel with its own grid. */
const sheets = globSync('**/*.css', { cwd: sources, exclude: ['features/phone/**'] });

/** Returns the values of these properties in all style sheets, with their files. */
function valuesOf(property: RegExp): [string, string][] {
  return sheets.flatMap((file): [string, string][] => {
    const rules = readFileSync(join(sources, file), 'utf8').matchAll(/^\s*([a-z-]+): ([^;{]+);/gm);
    return [...rules]
      .filter(([, name = '']) => property.test(name))
      .map(([, , value = '']): [string, string] => [file, value]);
  });
}

test('font sizes are variables of the type scale', () => {
  const sizes = valuesOf(/^font-size$/);
  expect(sizes.length).toBeGreaterThan(80);
  const names = Object.keys(theme.fontSizes ?? {});
  const isOnScale = (value: string): boolean =>
    !/\d(px|rem|em)/.test(value) &&
    [...value.matchAll(/var\(--mantine-font-size-(\w+)\)/g)].every(([, name = '']) => names.includes(name));
  expect(sizes.filter(([, value]) => !isOnScale(value))).toEqual([]);
});

test('gaps and margins have sizes of the spacing scale', () => {
  const gaps = valuesOf(/^((row-|column-)?gap|margin(-[a-z]+)*)$/);
  expect(gaps.length).toBeGreaterThan(150);
  const scale = Object.values(theme.spacing ?? {});
  const isOnScale = (value: string): boolean =>
    [...value.matchAll(/(?<![\w.])-?(\d[\d.]*px)/g)].every(([, size = '']) => scale.includes(size));
  expect(gaps.filter(([, value]) => !isOnScale(value))).toEqual([]);
});
