import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Changes a file and restores it afterwards. */
export async function whileDamaged<T>(
  path: string,
  damage: (content: Buffer) => Buffer | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const content = readFileSync(path);
  const damaged = damage(content);
  if (damaged) writeFileSync(path, damaged);
  else rmSync(path);
  try {
    return await work();
  } finally {
    writeFileSync(path, content);
  }
}

export const segmentsIn = (backups: string): string[] =>
  readdirSync(join(backups, 'wal'))
    .filter((name) => /^[0-9A-F]{24}\.gz$/.test(name))
    .toSorted();

/** Returns the path of a WAL segment, unpacked as PostgreSQL would pass it. */
export function takeSegment(backups: string, name: string, folder: string): string {
  const path = join(folder, name.replace('.gz', ''));
  writeFileSync(path, gunzipSync(readFileSync(join(backups, 'wal', name))));
  return path;
}

/** Runs the work with a separate file system that has no free space. */
export async function onFullDisk<T>(folder: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true });
  run('mount', '-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', folder);
  try {
    return await work();
  } finally {
    run('umount', folder);
  }
}

const run = (program: string, ...args: string[]): unknown => execFileSync(program, args);
