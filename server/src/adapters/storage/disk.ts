import { randomUUID } from 'node:crypto';
import { constants, createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { measure, type RecordingStorage } from '../../contexts/recordings/index.ts';
import { assertKey, isKey } from './keys.ts';

/** An unfinished file older than this was left by a process that died. */
const abandonedMs = 24 * 3600 * 1000;

/** Stores files in a folder. Unfinished files have a temporary name. */
export function createDiskStorage(root: string): RecordingStorage {
  const incoming = join(root, '.incoming');
  const pathOf = (key: string): string => {
    assertKey(key);
    return join(root, key);
  };

  async function put(key: string, body: Readable, bytes: number) {
    const path = pathOf(key);
    const unfinished = join(incoming, randomUUID());
    await mkdir(incoming, { recursive: true });
    await mkdir(dirname(path), { recursive: true });
    const { through, sha256 } = measure(bytes);
    try {
      // `flush` makes the stream sync the file before closing it.
      await pipeline(body, through, createWriteStream(unfinished, { flags: 'wx', mode: 0o640, flush: true }));
      await rename(unfinished, path);
      await syncFolder(dirname(path));
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    return { sha256: sha256() };
  }

  return {
    put,
    async get(key, range) {
      const file = await open(pathOf(key)).catch(missing);
      return file && createReadStream('', { fd: file, ...range });
    },
    async stat(key) {
      const stats = await stat(pathOf(key)).catch(missing);
      return stats && { bytes: stats.size };
    },
    async remove(key) {
      await rm(pathOf(key), { force: true });
    },
    async *list() {
      for (const account of await foldersIn(root)) {
        for (const day of await foldersIn(join(root, account))) {
          const names = await readdir(join(root, account, day), { recursive: true });
          yield names.map((name) => `${account}/${day}/${name}`).filter(isKey);
        }
      }
    },
    async check() {
      await mkdir(incoming, { recursive: true });
      await access(incoming, constants.W_OK);
      await removeAbandoned(incoming);
    },
    close: () => undefined,
  };
}

/** Lists one level per account and one per day, so that each listing fits into memory. */
async function foldersIn(path: string): Promise<string[]> {
  const entries = (await readdir(path, { withFileTypes: true }).catch(missing)) ?? [];
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name);
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Syncs a directory; a new entry survives a power failure only after that. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const stats = await stat(path).catch(missing);
    if (stats && Date.now() - stats.mtimeMs > abandonedMs) await rm(path, { force: true });
  }
}
