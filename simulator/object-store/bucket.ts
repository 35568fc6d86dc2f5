import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, type ReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface StoredObject {
  key: string;
  size: number;
  modifiedAt: Date;
}

/** Objects in a folder: the parts of a key are folders, the last one is a file. */
export interface Bucket {
  /** Writes a whole object or nothing. Returns the MD5 of its content. */
  put(key: string, content: Readable, expectedSha256?: string): Promise<string>;
  /**
   * Makes one object of others and removes them; undefined if one is missing. A client that repeats the request, such as
   * after a timeout, gets the result of the first.
   */
  join(key: string, parts: string[]): Promise<StoredObject | undefined>;
  find(key: string): Promise<StoredObject | undefined>;
  read(key: string, range?: { start: number; end: number }): ReadStream;
  remove(key: string): Promise<void>;
  /** All objects whose keys have this prefix, in order. */
  list(prefix: string): Promise<StoredObject[]>;
  has(key: string): boolean;
}

/** The content does not have the checksum that the client signed. */
export class WrongChecksumError extends Error {}

export function openBucket(dir: string): Bucket {
  const objects = join(dir, 'objects');
  const unfinished = join(dir, 'unfinished');
  const pathOf = (key: string): string => {
    const parts = key.split('/');
    if (parts.some((part) => part === '' || part === '.' || part === '..' || part.includes('\0')))
      throw new Error(`The key ${key} is not supported.`);
    return join(objects, ...parts);
  };
  const find = async (key: string): Promise<StoredObject | undefined> => {
    const found = await stat(pathOf(key)).catch(() => undefined);
    return found?.isFile() ? { key, size: found.size, modifiedAt: found.mtime } : undefined;
  };
  const joins = new Map<string, Promise<StoredObject | undefined>>();
  const joinParts = async (key: string, parts: string[]): Promise<StoredObject | undefined> => {
    const found = await Promise.all(parts.map(find));
    if (found.length === 0 || found.includes(undefined)) return undefined;
    const path = pathOf(key);
    const partial = join(unfinished, randomUUID());
    await mkdir(unfinished, { recursive: true });
    try {
      await concatenate(partial, parts.map(pathOf));
      await mkdir(dirname(path), { recursive: true });
      await rename(partial, path);
    } finally {
      await rm(partial, { force: true });
    }
    for (const part of parts) await rm(pathOf(part), { force: true });
    return await find(key);
  };
  return {
    async join(key, parts) {
      const [name = ''] = parts;
      const running = joins.get(name) ?? joinParts(key, parts);
      joins.set(name, running);
      const object = await running.catch(() => undefined);
      if (!object) joins.delete(name);
      return object;
    },
    async put(key, content, expectedSha256) {
      const path = pathOf(key);
      await mkdir(unfinished, { recursive: true });
      const partial = join(unfinished, randomUUID());
      try {
        const { md5, sha256 } = await writeDurably(partial, content);
        if (expectedSha256 !== undefined && sha256 !== expectedSha256) throw new WrongChecksumError(key);
        await mkdir(dirname(path), { recursive: true });
        await rename(partial, path);
        return md5;
      } finally {
        await rm(partial, { force: true });
      }
    },
    find,
    read: (key, range) => createReadStream(pathOf(key), range),
    remove: (key) => rm(pathOf(key), { force: true }),
    async list(prefix) {
      const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
      const names = await readdir(join(objects, folder), { recursive: true, withFileTypes: true }).catch(
        () => [],
      );
      const keys = names
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(objects.length + 1))
        .filter((key) => key.startsWith(prefix))
        .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      return (await Promise.all(keys.map(find))).filter((object) => object !== undefined);
    },
    has: (key) => existsSync(pathOf(key)),
  };
}

async function concatenate(path: string, parts: string[]): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (const part of parts) await file.appendFile(await readFile(part));
    await file.sync();
  } finally {
    await file.close();
  }
}

/** An interrupted body throws here, so that only complete objects are stored. */
async function writeDurably(path: string, content: Readable): Promise<{ md5: string; sha256: string }> {
  const [md5, sha256] = [createHash('md5'), createHash('sha256')];
  await pipeline(
    content,
    async function* hash(chunks) {
      for await (const chunk of chunks as AsyncIterable<Buffer>) {
        md5.update(chunk);
        sha256.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(path),
  );
  const file = await open(path);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  return { md5: md5.digest('hex'), sha256: sha256.digest('hex') };
}
