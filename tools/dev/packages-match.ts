import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.ts';

interface LockedPackage {
  version?: string;
  integrity?: string;
  optional?: boolean;
}

type Lock = Record<string, LockedPackage>;

/** Returns whether node_modules matches the lock file; optional packages of other platforms may be absent. */
export function packagesMatch(locked: Lock, installed: Lock): boolean {
  const names = Object.keys(locked).filter((name) => name !== '');
  return (
    names.every((name) => {
      const actual = installed[name];
      if (!actual) return locked[name]?.optional === true;
      return actual.version === locked[name]?.version && actual.integrity === locked[name]?.integrity;
    }) && Object.keys(installed).every((name) => name in locked)
  );
}

function readLock(path: string): Lock {
  const lock = JSON.parse(readFileSync(join(root, path), 'utf8')) as { packages: Lock };
  return lock.packages;
}

if (import.meta.main) {
  try {
    const match = packagesMatch(readLock('package-lock.json'), readLock('node_modules/.package-lock.json'));
    process.exitCode = match ? 0 : 1;
  } catch {
    process.exitCode = 1;
  }
}
