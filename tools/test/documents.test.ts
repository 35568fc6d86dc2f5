import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findMissingTests, readThreats } from '../docs/threats.ts';

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

describe('the table of threats', () => {
  const secure = readFileSync(join(repository, 'docs/operate/secure.md'), 'utf8');

  it('names a test for each protection, and every one exists', () => {
    expect(readThreats(secure).length).toBeGreaterThan(25);
    expect(findMissingTests(secure, repository)).toEqual([]);
  });

  it('is refused with a test that does not exist, or without one', () => {
    const planted = (tests: string): string[] =>
      findMissingTests(
        `\n## Threats\n| Threat | Protection | Test |\n|---|---|---|\n| a | b | ${tests} |\n`,
        repository,
      );
    expect(planted('ERR-07, `scenarios/tenancy`, `platform/keyring`')).toEqual([]);
    expect(planted('ERR-07, `scenarios/none`')).toEqual(['no test file: scenarios/none']);
    expect(planted('ERR-00')).toEqual(['no clause: ERR-00']);
    expect(planted('none')).toEqual(['no test: a']);
  });
});
