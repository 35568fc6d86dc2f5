import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJson } from './files.ts';
import { inDev } from './paths.ts';
import { identifySelf, isRunning, type ProcessIdentity } from './process-identity.ts';
import { UserError } from './user-error.ts';

const waitMs = 60_000;
const pollMs = 100;

/** Serialises starting and stopping per checkout. A lock whose holder died is ignored. */
export async function withLock<T>(work: () => Promise<T>): Promise<T> {
  mkdirSync(inDev(), { recursive: true });
  return withLockAt(inDev('lock.json'), waitMs, work);
}

export async function withLockAt<T>(path: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  await acquire(path, timeoutMs);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

async function acquire(path: string, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let isAnnounced = false;
  while (!tryAcquire(path)) {
    const holder = readJson<ProcessIdentity>(path);
    if (holder && !isRunning(holder)) {
      rmSync(path, { force: true });
      continue;
    }
    if (Date.now() > deadline) {
      throw new UserError(
        `Another ./dev (pid ${holder?.pid}) has been running here for over ${timeoutMs / 1_000} s.`,
      );
    }
    if (!isAnnounced && holder) console.log(`Waiting for another ./dev (pid ${holder.pid}) to finish …`);
    isAnnounced = true;
    await sleep(pollMs);
  }
}

function tryAcquire(path: string): boolean {
  try {
    writeFileSync(path, JSON.stringify(identifySelf()), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
