import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { codeOf, createDurably, syncFolder } from './durable.ts';
import { isArchivable, isSegment, readHead } from './segment.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Path of the WAL archive in a backup folder. */
export const archiveOf = (folder: string): string => join(folder, 'wal');
/** Name of the file that identifies the cluster of the archive. */
const ownerFile = 'cluster';

/**
 * Archives one WAL file atomically and never overwrites another. PostgreSQL retries until the command succeeds, so the
 * file may already be archived. Imports are kept minimal, because every file starts a new process.
 */
export async function archiveSegment(
  folder: string,
  source: string,
  name: string,
): Promise<'kept' | 'known'> {
  if (!isArchivable(name)) throw new Error(`${name} is not a WAL file.`);
  const archive = archiveOf(folder);
  const content = await readFile(source);
  try {
    await mkdir(archive, { recursive: true, mode: 0o750 });
    if (isSegment(name)) await assertSameCluster(archive, content, name);
    return await keep(archive, name, content);
  } catch (error) {
    if (codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT') {
      throw new Error(
        `The archive ${archive} is full: ${name} was not archived. PostgreSQL keeps it and retries; free space before its own disk fills.`,
      );
    }
    throw error;
  }
}

async function keep(archive: string, name: string, content: Buffer): Promise<'kept' | 'known'> {
  const path = join(archive, `${name}.gz`);
  try {
    // Level 1 is fast enough for a busy cluster, and an idle segment is nearly empty.
    await createDurably(path, await compress(content, { level: 1 }));
    return 'kept';
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    if (!(await decompress(await readFile(path))).equals(content)) {
      throw new Error(
        `${path} already exists with different content. Two clusters must not share an archive; use a separate folder for this one.`,
      );
    }
    await syncFolder(archive);
    return 'known';
  }
}

async function assertSameCluster(archive: string, content: Buffer, name: string): Promise<void> {
  const head = readHead(content);
  if (!head || content.length !== head.bytes) throw new Error(`${name} is not a complete segment.`);
  const mine = String(head.systemIdentifier);
  const owner = await ownerOf(archive);
  if (owner === undefined) return await createDurably(join(archive, ownerFile), mine);
  if (owner === mine) return;
  throw new Error(
    `The archive ${archive} belongs to cluster ${owner}, but ${name} is from cluster ${mine}. Use a separate folder for this one.`,
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
