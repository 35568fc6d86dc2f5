import { rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { archiveOf } from './archive-segment.ts';
import { basesOf, listBackups, namesIn, unfinishedSuffix } from './backup-folder.ts';
import { isSegment, numberOfPosition, segmentNumber } from './segment.ts';

const abandonedMs = 3600 * 1000;

export interface Removed {
  backups: string[];
  segments: number;
}

/** Removes all but the newest backups, and the log that none of those needs. What is torn is nobody's and stays. */
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
    // Histories are small, and every later timeline needs them.
    const name = file.slice(0, 24);
    const isOld = isSegment(name) && segmentNumber(name, oldest.segmentBytes) < first;
    if (!isOld && !(await isAbandoned(archive, file))) continue;
    await rm(join(archive, file), { force: true });
    segments += 1;
  }
  return { backups, segments };
}

/** Its name goes first: half a backup must not look like one. */
async function removeBackup(folder: string, id: string): Promise<void> {
  const going = join(basesOf(folder), `${id}${unfinishedSuffix}`);
  await rename(join(basesOf(folder), id), going);
  // Another backup may be removing what is unfinished.
  await rm(going, { recursive: true, force: true });
}

/** What an archiver that was killed had begun. */
async function isAbandoned(archive: string, file: string): Promise<boolean> {
  if (!file.startsWith('.')) return false;
  const found = await stat(join(archive, file)).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > abandonedMs;
}
