import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withLockAt } from '../lock.ts';

/** Folder of slow builds, shared by all checkouts of this user. */
const cacheFolder = (): string => join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'disca');

const buildWaitMs = 900_000;

/** Returns the cache folder of a recipe; every recipe has its own. */
export function cachedAt(name: string, recipe: unknown): string {
  const hash = createHash('sha256').update(JSON.stringify(recipe)).digest('hex').slice(0, 12);
  return join(cacheFolder(), `${name}-${hash}`);
}

/** Makes the folder once. It is renamed when complete, so that a partial one is never used. */
export async function makeOnce(folder: string, make: (unfinished: string) => Promise<void>): Promise<void> {
  if (existsSync(folder)) return;
  mkdirSync(cacheFolder(), { recursive: true });
  await withLockAt(`${folder}.lock`, buildWaitMs, async () => {
    if (existsSync(folder)) return;
    const unfinished = mkdtempSync(`${folder}.`);
    try {
      await make(unfinished);
      renameSync(unfinished, folder);
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  });
}
