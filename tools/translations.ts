import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { translated } from '../docs/.vitepress/sidebar.ts';
import {
  blobId,
  inPortuguese,
  isStale,
  readPagesOf,
  translatedId,
  translationFaults,
  withTranslatedId,
} from './docs/translations.ts';

/**
 * Shows what to translate: the changes of the English pages since their translation, and the faults of the Portuguese
 * pages. With --done, records that these pages (such as `guides/sdk.md`) are translated.
 */
const docs = resolve(import.meta.dirname, '../docs');
const read = readPagesOf(docs);
const { values, positionals } = parseArgs({ options: { done: { type: 'boolean' } }, allowPositionals: true });
if (values.done) for (const page of positionals) markDone(page.replace(/^docs\/(?:pt-BR\/)?/, ''));
else for (const path of translated) report(`${path}.md`);

function markDone(path: string): void {
  const [english, portuguese] = [read(path), read(inPortuguese(path))];
  if (english === undefined || portuguese === undefined)
    throw new Error(`docs/${path} and docs/${inPortuguese(path)} must exist.`);
  writeFileSync(join(docs, inPortuguese(path)), withTranslatedId(portuguese, blobId(english)));
}

function report(path: string): void {
  const faults = translationFaults(read, path);
  const exists = read(inPortuguese(path)) !== undefined;
  if (faults.length === 0 && !isStale(read, path)) return;
  process.exitCode = 1;
  for (const fault of faults) console.log(fault);
  if (!exists || !isStale(read, path)) return;
  console.log(`docs/${path} changed. Translate the changes to docs/${inPortuguese(path)}, then run:`);
  console.log(`  node tools/translations.ts --done ${path}\n${changesOf(path)}`);
}

/** Returns what changed in an English page since it was translated, if that version is in the repository. */
function changesOf(path: string): string {
  const old = translatedId(read(inPortuguese(path)) ?? '');
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: docs, encoding: 'utf8' });
  try {
    return old ? git('diff', '--word-diff', old, git('hash-object', '-w', path).trim()) : '';
  } catch {
    return `  The translated version (${old}) is not in this clone.\n`;
  }
}
