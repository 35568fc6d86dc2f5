import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf } from './durable.ts';

const moment = z.iso.datetime();

/** Metadata written beside a base backup once it is complete. */
const backupSchema = z.object({
  id: z.string(),
  startedAt: moment,
  /** Time on the database's clock: the earliest time to which the backup can be restored. */
  finishedAt: moment,
  systemIdentifier: z.string(),
  postgresMajor: z.int(),
  timeline: z.int(),
  startPosition: z.string(),
  stopPosition: z.string(),
  segmentBytes: z.int(),
  bytes: z.int(),
  files: z.int(),
  /** SHA-256 of PostgreSQL's backup manifest. */
  manifestSha256: z.string(),
  /** Name of the last applied migration. */
  migration: z.string().nullable(),
});

export type Backup = z.infer<typeof backupSchema>;

export const unfinishedSuffix = '.unfinished';
export const basesPath = (folder: string): string => join(folder, 'base');
export const dataPath = (folder: string, id: string): string => join(basesPath(folder), id, 'data');
export const metadataPath = (base: string): string => join(base, 'backup.json');
export const manifestPath = (data: string): string => join(data, 'backup_manifest');

export interface ListedBackups {
  /** Complete backups, oldest first. */
  whole: Backup[];
  /** Incomplete backups: unfinished, or with unreadable metadata. */
  torn: string[];
}

export async function listBackups(folder: string): Promise<ListedBackups> {
  const names = (await namesIn(basesPath(folder))).toSorted();
  const read = await Promise.all(names.map(async (id) => ({ id, backup: await readBackup(folder, id) })));
  return {
    whole: read.map(({ backup }) => backup).filter((backup) => backup !== undefined),
    torn: read.filter(({ backup }) => backup === undefined).map(({ id }) => id),
  };
}

async function readBackup(folder: string, id: string): Promise<Backup | undefined> {
  if (id.endsWith(unfinishedSuffix)) return undefined;
  try {
    const text = await readFile(metadataPath(join(basesPath(folder), id)), 'utf8');
    return backupSchema.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError || codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR')
      return undefined;
    throw error;
  }
}

/** Returns the names in a folder; empty if it does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

export const sha256Of = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
