import { existsSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ManyNodesDeployment } from '../../harness/deployments/many-nodes.ts';

/** Longer than a recording is awaited. The recordings of faulty calls have been copied by then. */
const maxAgeMs = 180_000;
const mebibyte = 2 ** 20;

/** Deletes stored recordings that have been measured, so that a run of thousands of calls does not fill the disk. */
export function removeOldRecordings({ dir }: Pick<ManyNodesDeployment, 'dir'>): void {
  const storage = join(dir, 'recordings');
  if (!existsSync(storage)) return;
  for (const entry of readdirSync(storage, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && isOld(file)) rmSync(file, { force: true });
  }
}

function isOld(file: string): boolean {
  const { mtimeMs = Date.now() } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return Date.now() - mtimeMs > maxAgeMs;
}

/** Returns the memory that this process uses and the free space of the disk. */
export function freeResources({ dir }: Pick<ManyNodesDeployment, 'dir'>): string {
  const { bavail, bsize } = statfsSync(dir);
  const usedMb = Math.round(process.memoryUsage().rss / mebibyte);
  return `${usedMb} MiB of memory used, ${Math.round((bavail * bsize) / mebibyte)} MiB of disk free`;
}
