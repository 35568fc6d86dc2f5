import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const repository = resolve(import.meta.dirname, '../..');
const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: repository }).sort();

function relativeLinks(document: string): string[] {
  const text = readFileSync(join(repository, document), 'utf8');
  const targets = [...text.matchAll(/\]\((?<target>[^)\s]+)\)/g)].map((match) => match.groups?.target ?? '');
  return targets.filter((target) => !/^(https?:|#)/.test(target)).map((target) => target.replace(/#.*/, ''));
}

describe('the documents', () => {
  it.each(documents)('%s links only to files that exist', (document) => {
    const missing = relativeLinks(document).filter(
      (target) => !existsSync(join(repository, dirname(document), target)),
    );
    expect(missing).toEqual([]);
  });

  it('are all reachable from the README', () => {
    const reached = new Set(['README.md']);
    for (const document of reached) {
      for (const target of relativeLinks(document)) {
        const path = join(dirname(document), target);
        if (documents.includes(path)) reached.add(path);
      }
    }
    expect(documents.filter((document) => !reached.has(document))).toEqual([]);
  });
});
