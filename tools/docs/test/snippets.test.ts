import { expect, test } from 'vitest';
import { documents, snippetsOf } from '../snippets.ts';

test('every shell snippet in the documents is run by a test or gives a reason', () => {
  const silent = documents()
    .flatMap(snippetsOf)
    .filter(({ isRunnable, reason }) => !isRunnable && reason === undefined)
    .map(({ document, line }) => `${document}:${line}`);
  expect(silent).toEqual([]);
});
