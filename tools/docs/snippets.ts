import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface Snippet {
  document: string;
  line: number;
  text: string;
  /** `runnable` is run by a test; whatever is not says why. */
  isRunnable: boolean;
  reason: string | undefined;
}

const repository = resolve(import.meta.dirname, '../..');
const fence = /^(?<indent> *)```(?:sh|bash|shell|console)(?<info>[^\n]*)\n(?<text>[\s\S]*?)^\k<indent>```$/gm;

export const documents = (): string[] =>
  globSync(['README.md', 'docs/**/*.md'], { cwd: repository, exclude: ['docs/.vitepress/**'] }).sort();

/** The shell's lines in a document, in their order. */
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
