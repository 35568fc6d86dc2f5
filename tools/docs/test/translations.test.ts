import { globSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { translated } from '../../../docs/.vitepress/sidebar.ts';
import {
  blobId,
  isStale,
  type ReadPage,
  readPagesOf,
  translationFaults,
  withTranslatedId,
} from '../translations.ts';

const docs = resolve(import.meta.dirname, '../../../docs');
const read = readPagesOf(docs);
const pages = translated.map((path) => `${path}.md`);

describe('the manual in Portuguese', () => {
  test('MANUAL-04 has the home page, quick start, concepts, guides, webhooks and errors', () => {
    expect(globSync('**/*.md', { cwd: join(docs, 'pt-BR') }).sort()).toEqual(pages.toSorted());
    expect(pages).toEqual(
      expect.arrayContaining(['index.md', 'quick-start.md', 'concepts.md', 'webhooks.md']),
    );
    expect(pages).toEqual(
      expect.arrayContaining(['reference/errors.md', ...globSync('guides/*.md', { cwd: docs })]),
    );
  });

  test('MANUAL-02 MANUAL-04 every page has the headings and the code of its English page, and valid links', () => {
    expect(pages.flatMap((path) => translationFaults(read, path))).toEqual([]);
  });

  test('MANUAL-05 every page is a translation of the current text of its English page', () => {
    const stale = pages.filter((path) => isStale(read, path));
    expect(stale.map((path) => `docs/${path} changed. Run: node tools/translations.ts`)).toEqual([]);
  });

  test('finds a page whose English page changed', () => {
    const texts: Record<string, string> = { 'a.md': '# A\n', 'pt-BR/a.md': '# Á\n' };
    const staleNow = () => isStale((path) => texts[path], 'a.md');
    expect(staleNow()).toBe(true);
    // `echo '# A' | git hash-object --stdin`
    expect(blobId('# A\n')).toBe('7f3b95d297183eca8f6cf38ceaa253bee8c2d7cd');
    for (const before of ['# Á\n', '---\nlayout: home\n---\n'])
      for (const id of [blobId('# Old\n'), blobId('# A\n')]) {
        texts['pt-BR/a.md'] = withTranslatedId(withTranslatedId(before, blobId('#\n')), id);
        expect(staleNow()).toBe(id !== blobId('# A\n'));
      }
  });

  test('finds other headings, other code and broken links', () => {
    const english = '# A\n\n## B\n\n```sh runnable\nls\n```\n';
    const faultsOf = (portuguese: string | undefined) => {
      const texts: Record<string, string | undefined> = {
        'a.md': english,
        'pt-BR/a.md': portuguese,
        'b.md': '# Ção 1\n',
      };
      const readText: ReadPage = (path) => texts[path];
      return translationFaults(readText, 'a.md').length;
    };
    expect(faultsOf('# X\n\n## Y\n\n```sh runnable\nls\n```\n[b](../b.md#cao-1) [a](#y)\n')).toBe(0);
    expect(faultsOf('# X\n\n### Y\n\n```sh runnable\nls\n```\n')).toBe(1);
    expect(faultsOf('# X\n\n## Y\n\n```sh runnable\nls -l\n```\n')).toBe(1);
    expect(faultsOf('# X\n\n## Y\n\n```sh not run: sem\nls\n```\n')).toBe(1);
    expect(faultsOf('# X\n\n## Y\n\n```sh runnable\nls\n```\n[b](b.md) [b](../b.md#c) [a](#b)\n')).toBe(3);
    expect(faultsOf(undefined)).toBe(1);
  });
});
