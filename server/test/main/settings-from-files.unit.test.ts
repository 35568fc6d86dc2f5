import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withFiles } from '../../src/main/settings-from-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'settings-'));
const inFile = (text: string): string => {
  const file = join(folder, `secret-${text.length}`);
  writeFileSync(file, text);
  return file;
};

it('reads a setting from the named file, without its line end', () => {
  const file = inFile('postgres://here\n');
  expect(withFiles({ DATABASE_URL_FILE: file }, ['DATABASE_URL'])).toMatchObject({
    DATABASE_URL: 'postgres://here',
  });
});

it('reads no file for a name that is not a setting', () => {
  expect(withFiles({ SSL_CERT_FILE: '/nowhere' }, ['DATABASE_URL'])).toEqual({ SSL_CERT_FILE: '/nowhere' });
});

it('treats an empty variable as not set', () => {
  expect(withFiles({ DATABASE_URL: '', DATABASE_URL_FILE: '' }, ['DATABASE_URL'])).toEqual({});
});

it('rejects a setting that is given both directly and as a file', () => {
  const both = { DATABASE_URL: 'a', DATABASE_URL_FILE: inFile('b') };
  expect(() => withFiles(both, ['DATABASE_URL'])).toThrow('are both set');
});

it('names the file that cannot be read, and not what it should contain', () => {
  expect(() => withFiles({ KEY_RING_FILE: '/nowhere/key' }, ['KEY_RING'])).toThrow(
    'The file in KEY_RING_FILE cannot be read (ENOENT).',
  );
});
