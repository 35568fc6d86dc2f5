import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** Returns the paths of the archived WAL segments, by name. */
export function archivedSegments(objects: string): Map<string, string> {
  const archive = join(objects, 'disca/archive/disca');
  const paths = readdirSync(archive, { recursive: true, encoding: 'utf8' });
  const named = paths.map((path) => ({ path, name: /([0-9A-F]{24})-[0-9a-f]{40}/.exec(path)?.[1] }));
  return new Map(
    named
      .flatMap(({ path, name }): [string, string][] => (name ? [[name, join(archive, path)]] : []))
      .toSorted(([a], [b]) => a.localeCompare(b)),
  );
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
