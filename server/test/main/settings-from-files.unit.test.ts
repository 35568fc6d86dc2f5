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

it('takes a setting from the file that is named, without its line end', () => {
  const file = inFile('postgres://here\n');
  expect(withFiles({ DATABASE_URL_FILE: file }, ['DATABASE_URL'])).toMatchObject({
    DATABASE_URL: 'postgres://here',
  });
});

it('reads no file for a name that is no setting', () => {
  expect(withFiles({ SSL_CERT_FILE: '/nowhere' }, ['DATABASE_URL'])).toEqual({ SSL_CERT_FILE: '/nowhere' });
});

it('takes an empty variable for one that is not set', () => {
  expect(withFiles({ DATABASE_URL: '', DATABASE_URL_FILE: '' }, ['DATABASE_URL'])).toEqual({});
});

it('refuses a setting that stands in both places', () => {
  const both = { DATABASE_URL: 'a', DATABASE_URL_FILE: inFile('b') };
  expect(() => withFiles(both, ['DATABASE_URL'])).toThrow('are both set');
});

it('says which file cannot be read, and not what should be in it', () => {
  expect(() => withFiles({ KEY_RING_FILE: '/nowhere/key' }, ['KEY_RING'])).toThrow(
    'The file in KEY_RING_FILE cannot be read (ENOENT).',
  );
});
