import { expect, test } from 'vitest';
import { documents, snippetsOf } from '../snippets.ts';

test('every line of shell in the documents is run by a test or says why it is not', () => {
  const silent = documents()
    .flatMap(snippetsOf)
    .filter(({ isRunnable, reason }) => !isRunnable && reason === undefined)
    .map(({ document, line }) => `${document}:${line}`);
  expect(silent).toEqual([]);
});
