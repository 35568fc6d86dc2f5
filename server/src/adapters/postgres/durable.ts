import { link, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A name is as safe as its folder: only synced does it outlive a loss of power. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** A file that is there whole or not at all, and never in the place of another: then it fails with EEXIST. */
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
    // Unlike a rename, a link never takes the place of what is there.
    await link(unfinished, path);
    await syncFolder(dirname(path));
  } finally {
    await rm(unfinished, { force: true });
  }
}

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
