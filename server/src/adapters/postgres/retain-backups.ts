import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { archiveOf } from './archive-segment.ts';
import { basesPath, listBackups, namesIn, unfinishedSuffix } from './backup-folder.ts';
import { isSegment, numberOfPosition, segmentNumber } from './segment.ts';

const abandonedMs = 3600 * 1000;

export interface Removed {
  backups: string[];
  segments: number;
}

/** Removes all but the newest backups, and the WAL that none of those needs. Incomplete backups stay. */
export async function retainBackups(folder: string, keep: number): Promise<Removed> {
  const { whole } = await listBackups(folder);
  const backups = whole.slice(0, Math.max(whole.length - keep, 0)).map(({ id }) => id);
  for (const id of backups) await removeBackup(folder, id);
  const oldest = whole.find(({ id }) => !backups.includes(id));
  if (!oldest) return { backups, segments: 0 };
  const first = numberOfPosition(oldest.startPosition, oldest.segmentBytes);
  const archive = archiveOf(folder);
  let segments = 0;
  for (const file of await namesIn(archive)) {
    // Timeline histories are always kept: they are small, and every later timeline needs them.
    const name = file.slice(0, 24);
    const isOld = isSegment(name) && segmentNumber(name, oldest.segmentBytes) < first;
    if (!isOld && !(await isAbandoned(archive, file))) continue;
    await rm(join(archive, file), { force: true });
    segments += 1;
  }
  return { backups, segments };
}

/** Renames the backup first, so that a partly deleted one does not look complete. */
async function removeBackup(folder: string, id: string): Promise<void> {
  const going = join(basesPath(folder), `${id}${unfinishedSuffix}`);
  await rename(join(basesPath(folder), id), going);
  // `force`, because a concurrent backup may be removing unfinished backups as well.
  await rm(going, { recursive: true, force: true });
}

/** Returns whether a temporary file was left by an archiver that was killed. */
async function isAbandoned(archive: string, file: string): Promise<boolean> {
  if (!file.startsWith('.')) return false;
  const stats = await stat(join(archive, file)).catch(() => undefined);
  return stats !== undefined && Date.now() - stats.mtimeMs > abandonedMs;
}
