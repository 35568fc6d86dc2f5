import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findWords, unusedAllowances, words } from '../words/find-words.ts';

const root = join(import.meta.dirname, '../..');

const word = words[0] ?? '';

test('a forbidden word fails with its file and line', () => {
  const planted = ['// Retries.', `// The client is ${word} so.`, `const re${word} = 1;`].join('\n');
  expect(findWords([{ path: 'server/src/a.ts', text: planted }], [])).toEqual([
    `server/src/a.ts:2: "${word}": // The client is ${word} so.`,
  ]);
});

test.each(words)('the words "%s" fail in any case', (phrase) => {
  const text = `It ${phrase.toUpperCase()} it.`;
  expect(findWords([{ path: 'a.md', text }], [])).toHaveLength(1);
});

test('an allowed use passes, and an allowance without a use fails', () => {
  const files = [{ path: 'a.md', text: `It ${word} it.` }];
  const use = { path: 'a.md', word, reason: 'an example' };
  expect(findWords(files, [use])).toEqual([]);
  expect(unusedAllowances(files, [use, { ...use, path: 'b.md' }])).toEqual([
    `tools/words/allowed-uses.ts: b.md does not use "${word}" any more`,
  ]);
});

test('a misspelt word fails the spelling check, in both languages', () => {
  const folder = mkdtempSync(join(root, 'tools/test/spelling-'));
  try {
    const file = join(folder, 'page.md');
    writeFileSync(
      file,
      `The worker retries the delivery.\nA entrega é reenviada.\nThe deli${'vry'}, a entre${'gga'}.\n`,
    );
    const cspell = join(root, 'node_modules/.bin/cspell');
    const { status, stdout } = spawnSync(cspell, ['lint', '--no-progress', '--words-only', file], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stdout.trim().split('\n')).toEqual([`deli${'vry'}`, `entre${'gga'}`]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
