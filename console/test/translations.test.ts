import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorCodes } from '../../server/src/platform/errors.ts';
import { texts as english } from '../src/locales/en/index.ts';
import { texts as portuguese } from '../src/locales/pt-BR/index.ts';
import { createFormats } from '../src/shared/format/formats.ts';

const sources = join(import.meta.dirname, '../src');

interface Texts {
  [key: string]: string | Texts;
}

const flatten = (texts: Texts, prefix = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[`${prefix}${key}`, value]] : flatten(value, `${prefix}${key}.`),
  );

const byKey = { 'pt-BR': new Map(flatten(portuguese)), en: new Map(flatten(english)) };
const pluralForms = { 'pt-BR': ['one', 'many', 'other'], en: ['one', 'other'] };
const stem = (key: string): string => key.replace(/_(zero|one|many|other)$/, '');
const stems = (texts: Map<string, string>): string[] => [...new Set([...texts.keys()].map(stem))].sort();
const placeholders = (text: string): string[] => [...new Set(text.match(/\{\{\w+(?=[,}])/g))].sort();

test('both languages have the same texts, none of them empty', () => {
  expect(stems(byKey['pt-BR'])).toEqual(stems(byKey.en));
  for (const texts of Object.values(byKey))
    expect([...texts].filter(([, text]) => text.trim() === '')).toEqual([]);
});

test('counted texts have every plural form of their language', () => {
  for (const language of ['pt-BR', 'en'] as const) {
    const keys = [...byKey[language].keys()];
    const counting = new Set(keys.filter((key) => key !== stem(key)).map(stem));
    const required = [...counting].flatMap((key) => pluralForms[language].map((form) => `${key}_${form}`));
    expect(required.filter((key) => !byKey[language].has(key))).toEqual([]);
  }
});

test('texts have the same placeholders in both languages', () => {
  const findForm = (texts: Map<string, string>, key: string) =>
    texts.get(key) ?? texts.get(`${stem(key)}_other`);
  const differing = [...byKey['pt-BR']].filter(
    ([key, text]) => `${placeholders(text)}` !== `${placeholders(findForm(byKey.en, key) ?? '')}`,
  );
  expect(differing).toEqual([]);
});

test('components contain no hard-coded texts', () => {
  // Names that are the same in every language.
  const names = /^(Disca|curl)$/;
  const problems = globSync('**/*.tsx', { cwd: sources }).flatMap((file) => {
    const text = readFileSync(join(sources, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    const between = [...text.matchAll(/(?<=[\w"'}/]>)[^<>{}=();]*\p{L}{2,}[^<>{}=();]*(?=<\/|\{|<\w)/gu)].map(
      ([all]) => all.trim(),
    );
    const attributes = [
      ...text.matchAll(/\b(?:aria-label|label|title|placeholder|description|alt)="([^"]*\p{L}{2,}[^"]*)"/gu),
    ].map(([, value]) => value ?? '');
    return [...between, ...attributes].filter((each) => !names.test(each)).map((each) => `${file}: ${each}`);
  });
  expect(problems).toEqual([]);
});

test('every text is used', () => {
  const code = globSync('**/*.{ts,tsx}', { cwd: sources })
    .filter((file) => !file.startsWith('locales/'))
    .map((file) => readFileSync(join(sources, file), 'utf8'))
    .join('\n');
  const isUsed = (key: string): boolean => {
    if (code.includes(`'${key}'`)) return true;
    // Computed keys: `shell.${name}` uses all keys that start with `shell.`.
    const parts = key.split('.');
    return parts.some((_, place) => place > 0 && code.includes(`\`${parts.slice(0, place).join('.')}.\${`));
  };
  expect(stems(byKey['pt-BR']).filter((key) => !isUsed(key))).toEqual([]);
});

test('every error of the API has a text in both languages', () => {
  for (const texts of Object.values(byKey))
    expect(errorCodes.filter((code) => !texts.has(`problems.codes.${code}`))).toEqual([]);
});

test('dates have the day first and 24 hours in both languages', () => {
  const at = '2026-11-18T21:05:09Z';
  const shown = (language: string): string[] => {
    const formats = createFormats(language, 'America/Sao_Paulo');
    return [
      formats.date(at),
      formats.time(at),
      formats.day('2026-11-18'),
      formats.shortTime(at),
      formats.dateTime(at),
    ];
  };
  expect(shown('pt-BR')).toEqual(['18/11/2026', '18:05:09', '18/11', '18/11, 18:05', '18/11/2026, 18:05:09']);
  expect(shown('en')).toEqual(shown('pt-BR'));
});
