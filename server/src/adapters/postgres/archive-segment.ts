import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { codeOf, createDurably, syncFolder } from './durable.ts';
import { isArchivable, isSegment, readHead } from './segment.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Where the log is kept, in a folder of backups. */
export const archiveOf = (folder: string): string => join(folder, 'wal');
/** Names the cluster whose log it is. */
const ownerFile = 'cluster';

/**
 * Keeps one file of the write-ahead log, whole or not at all, and never over another. PostgreSQL asks again until it
 * succeeds, also for a file that was kept already when the answer was lost. Nothing is imported here that is not needed:
 * it starts anew for every file.
 */
export async function archiveSegment(
  folder: string,
  source: string,
  name: string,
): Promise<'kept' | 'known'> {
  if (!isArchivable(name)) throw new Error(`${name} is no file of the write-ahead log.`);
  const archive = archiveOf(folder);
  const content = await readFile(source);
  try {
    await mkdir(archive, { recursive: true, mode: 0o750 });
    if (isSegment(name)) await assertSameCluster(archive, content, name);
    return await keep(archive, name, content);
  } catch (error) {
    if (codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT') {
      throw new Error(
        `The archive ${archive} is full: ${name} was not kept. PostgreSQL holds it back and tries again; make room before its own disk fills.`,
      );
    }
    throw error;
  }
}

async function keep(archive: string, name: string, content: Buffer): Promise<'kept' | 'known'> {
  const path = join(archive, `${name}.gz`);
  try {
    // Level 1: a quiet segment is nearly empty, and a busy cluster must not wait.
    await createDurably(path, await compress(content, { level: 1 }));
    return 'kept';
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    if (!(await decompress(await readFile(path))).equals(content)) {
      throw new Error(
        `${path} is there already with other content. Two clusters must not share an archive; give this one a folder of its own.`,
      );
    }
    await syncFolder(archive);
    return 'known';
  }
}

async function assertSameCluster(archive: string, content: Buffer, name: string): Promise<void> {
  const head = readHead(content);
  if (!head || content.length !== head.bytes) throw new Error(`${name} is not a whole segment.`);
  const mine = String(head.systemIdentifier);
  const owner = await ownerOf(archive);
  if (owner === undefined) return await createDurably(join(archive, ownerFile), mine);
  if (owner === mine) return;
  throw new Error(
    `The archive ${archive} is that of cluster ${owner}, and ${name} is of cluster ${mine}. Give this one a folder of its own.`,
  );
}

async function ownerOf(archive: string): Promise<string | undefined> {
  try {
    return await readFile(join(archive, ownerFile), 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
