import { chmodSync, copyFileSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The clock of one host. Its processes read it through libfaketime; programs in Go, such as etcd, do not. */
export interface HostClock {
  /** Contains the library and the offset, readable by every user. */
  folder: string;
  /** Moves the clock of running and future processes to this many seconds from the real time, within 1 s. */
  set(offsetSeconds: number): void;
  drop(): void;
}

const libraryName = 'libfaketimeMT.so.1';
const offsetName = 'offset';

export function createHostClock(): HostClock {
  const folder = mkdtempSync(join(tmpdir(), 'disca-clock-'));
  chmodSync(folder, 0o755);
  copyFileSync(findLibrary(), join(folder, libraryName));
  const set = (offsetSeconds: number): void =>
    writeFileSync(join(folder, offsetName), `${offsetSeconds < 0 ? '' : '+'}${offsetSeconds}s\n`);
  set(0);
  return { folder, set, drop: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Returns the environment of a process that sees the clock in this folder. */
export const clockEnvironment = (folder: string): Record<string, string> => ({
  LD_PRELOAD: join(folder, libraryName),
  FAKETIME_TIMESTAMP_FILE: join(folder, offsetName),
  // Seconds after which the offset is read again.
  FAKETIME_CACHE_DURATION: '1',
  // Only the time of day moves: timers and time-outs continue.
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  NO_FAKE_STAT: '1',
});

/** Removes the shared memory that libfaketime leaves behind when its process is killed. */
export function removeClockMemory(pid: number): void {
  for (const name of ['faketime_shm', 'sem.faketime_sem']) rmSync(`/dev/shm/${name}_${pid}`, { force: true });
}

/** Debian installs it in a folder named after the architecture. */
function findLibrary(): string {
  const [path] = globSync(`/usr/lib/*/faketime/${libraryName}`);
  if (!path) throw new Error('libfaketime is not installed. Run ./dev setup --tests.');
  return path;
}
