import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface Snippet {
  document: string;
  line: number;
  text: string;
  /** `runnable` snippets are run by a test; others give a reason. */
  isRunnable: boolean;
  reason: string | undefined;
}

const repository = resolve(import.meta.dirname, '../..');
const fence = /^(?<indent> *)```(?:sh|bash|shell|console)(?<info>[^\n]*)\n(?<text>[\s\S]*?)^\k<indent>```$/gm;

/** Folder of the manual in Portuguese. */
export const translations = 'docs/pt-BR';

export const documents = (): string[] =>
  globSync(['README.md', 'docs/**/*.md'], { cwd: repository, exclude: ['docs/.vitepress/**'] }).sort();

/** Returns the name of a document's translation, which may not exist. */
export const translationOf = (document: string): string => document.replace(/^docs\//, `${translations}/`);

/** Returns the shell snippets of a document, in order. */
export function snippetsOf(document: string): Snippet[] {
  const content = readFileSync(join(repository, document), 'utf8');
  return [...content.matchAll(fence)].map((match) => {
    const { indent = '', info = '', text = '' } = match.groups ?? {};
    return {
      document,
      line: content.slice(0, match.index).split('\n').length,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      isRunnable: info.trim() === 'runnable',
      reason: /^ not run: (?<reason>\S.*)$/.exec(info)?.groups?.reason,
    };
  });
}
