import { chmodSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { sep } from 'node:path';
import { ownerHasEnded, run } from '../networks/namespaces.ts';

/** The file system of one host, in a sparse file. */
export interface HostDisk {
  /** Makes every write wait. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Removes the file system with its content. Its processes must have ended. */
  drop(): Promise<void>;
}

const sizeBytes = 4 * 1024 ** 3;

/** Creates an ext4 file system, mounted at this folder. A part of its path must be made by `ownName`. */
export async function createHostDisk(path: string): Promise<HostDisk> {
  const image = `${path}.img`;
  let isFrozen = false;
  const thaw = async (): Promise<void> => {
    if (!isFrozen) return;
    isFrozen = false;
    await run('fsfreeze', ['--unfreeze', path]);
  };
  mkdirSync(path, { recursive: true });
  writeFileSync(image, '');
  truncateSync(image, sizeBytes);
  await run('mkfs.ext4', ['-q', '-m', '0', image]);
  await run('mount', ['-o', 'loop,noatime', image, path]);
  chmodSync(path, 0o755);
  return {
    async freeze() {
      await run('fsfreeze', ['--freeze', path]);
      isFrozen = true;
    },
    thaw,
    async drop() {
      await thaw();
      await unmount(path);
      rmSync(image, { force: true });
    },
  };
}

/** Unmounts file systems whose owner was killed; processes that wait for a frozen one continue. */
export async function sweepHostDisks(): Promise<void> {
  for (const line of readFileSync('/proc/self/mounts', 'utf8').split('\n')) {
    const [device = '', path = ''] = line.split(' ');
    if (!device.startsWith('/dev/loop') || !path.split(sep).some(ownerHasEnded)) continue;
    // Fails if it is not frozen.
    await run('fsfreeze', ['--unfreeze', path]).catch(() => undefined);
    await unmount(path);
    rmSync(`${path}.img`, { force: true });
  }
}

/** Unmounts even if another mount namespace still has the file system; it ends with the last one. */
async function unmount(path: string): Promise<void> {
  await run('umount', ['--lazy', path]);
  rmSync(path, { recursive: true, force: true });
}
