import { link, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Syncs a directory; a new entry survives a power failure only after that. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Creates a file atomically. Never overwrites: fails with EEXIST if it exists. */
export async function createDurably(path: string, content: Buffer | string): Promise<void> {
  const unfinished = join(dirname(path), `.${basename(path)}.${process.pid}`);
  try {
    const file = await open(unfinished, 'w', 0o640);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    // Unlike rename, link never replaces an existing file.
    await link(unfinished, path);
    await syncFolder(dirname(path));
  } finally {
    await rm(unfinished, { force: true });
  }
}

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
