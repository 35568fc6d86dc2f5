import { chmod, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStorage } from '../../../src/adapters/storage/index.ts';
import type { RecordingStorage } from '../../../src/contexts/recordings/index.ts';
import { conformsToStorage } from './conformance.ts';

let folder: string;
let storage: RecordingStorage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'disca-storage-'));
  storage = openStorage({
    url: pathToFileURL(folder).href,
    accessKeyId: undefined,
    secretAccessKey: undefined,
  });
  await storage.check();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

conformsToStorage(() => storage);

test('leaves no partial files, and only the owner can read the files', async () => {
  await storage.put('1/a.wav', Readable.from([Buffer.from('a')]), 1);
  await expect(storage.put('1/b.wav', Readable.from([Buffer.from('b')]), 2)).rejects.toThrow();
  expect(await readdir(join(folder, '.incoming'))).toEqual([]);
  expect((await stat(join(folder, '1/a.wav'))).mode & 0o007).toBe(0);
});

test('removes partial files of a dead process after a day, and not earlier', async () => {
  const incoming = join(folder, '.incoming');
  await writeFile(join(incoming, 'old'), 'x');
  await writeFile(join(incoming, 'new'), 'x');
  const longAgo = new Date(Date.now() - 25 * 3600 * 1000);
  await utimes(join(incoming, 'old'), longAgo, longAgo);
  await storage.check();
  expect(await readdir(incoming)).toEqual(['new']);
});

test('rejects a folder without write access at start', async () => {
  const file = join(folder, 'file');
  await writeFile(file, '');
  await chmod(file, 0o600);
  const impossible = openStorage({
    url: pathToFileURL(join(file, 'below')).href,
    accessKeyId: undefined,
    secretAccessKey: undefined,
  });
  await expect(impossible.check()).rejects.toThrow('ENOTDIR');
});
