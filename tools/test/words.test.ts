import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findWords, unusedAllowances } from '../words/find-words.ts';

const root = join(import.meta.dirname, '../..');

test('a ruled-out word fails with its file and line', () => {
  const planted = ['// Retries.', `// ${'Who'}ever waits is ${'to'}ld so.`, 'const retold = 1;'].join('\n');
  expect(findWords([{ path: 'server/src/a.ts', text: planted }], [])).toEqual([
    expect.stringMatching(/^server\/src\/a\.ts:2: "whoever"/),
    expect.stringMatching(/^server\/src\/a\.ts:2: "told"/),
  ]);
});

test('an allowed use passes, and an allowance without a use fails', () => {
  const files = [{ path: 'a.md', text: `The ${'no'}body account.` }];
  const use = { path: 'a.md', word: 'nobody', reason: 'the name of a system account' };
  expect(findWords(files, [use])).toEqual([]);
  expect(unusedAllowances(files, [use, { ...use, path: 'b.md' }])).toEqual([
    'tools/words/allowed-uses.ts: b.md does not use "nobody" any more',
  ]);
});

test('a misspelt word fails the spelling check', () => {
  const folder = mkdtempSync(join(root, 'tools/test/spelling-'));
  try {
    const spell = (text: string): void => {
      const file = join(folder, 'page.md');
      writeFileSync(file, text);
      execFileSync(join(root, 'node_modules/.bin/cspell'), ['lint', '--no-progress', '--no-summary', file], {
        cwd: root,
        stdio: 'pipe',
      });
    };
    expect(() => spell('The worker retries the delivery; a entrega é reenviada.')).not.toThrow();
    expect(() => spell(`The worker re${'trys'} the deli${'vry'}.`)).toThrow(/deli/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
