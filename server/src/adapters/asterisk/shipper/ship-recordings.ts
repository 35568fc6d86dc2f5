import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Controller } from './controller.ts';

const namePattern = /^([0-9a-f]{8}-[0-9a-f-]{27})\.wav$/;
/** The engine has let go of a file that did not change for so long. */
const restMs = 1_500;
/** What no call wants after a day, no call will want. */
const forgottenMs = 24 * 3600 * 1000;
const sideBySide = 4;
const firstPauseMs = 1_000;
const longestPauseMs = 10 * 60 * 1000;

/** A file that was sent in vain. */
interface Delay {
  /** A file that has changed since is another one. */
  mtimeMs: number;
  pauseMs: number;
  until: number;
}

/**
 * Carries finished recordings to the controller and removes what is in good hands there. What is not taken is sent
 * again ever more seldom: it is the whole file each time.
 */
export function createRecordingShipper(
  controller: Controller,
  directory: string,
  onError: (error: unknown) => void,
): (now: number) => Promise<void> {
  const delays = new Map<string, Delay>();

  const shipOne = async (name: string, now: number): Promise<void> => {
    const file = join(directory, name);
    const { mtimeMs, size } = await stat(file);
    const last = delays.get(name);
    const delay = last?.mtimeMs === mtimeMs ? last : undefined;
    if (now - mtimeMs < restMs || (delay && now < delay.until)) return;
    const pauseMs = delay ? Math.min(delay.pauseMs * 2, longestPauseMs) : firstPauseMs;
    delays.set(name, { mtimeMs, pauseMs, until: now + pauseMs });
    const callId = namePattern.exec(name)?.[1] ?? '';
    const isDone = size > 0 && (await controller.sendRecording(callId, file));
    if (isDone || now - mtimeMs > forgottenMs) await rm(file, { force: true });
  };

  return async (now) => {
    const names = new Set((await readdir(directory)).filter((name) => namePattern.test(name)));
    for (const name of delays.keys()) if (!names.has(name)) delays.delete(name);
    const waiting = names.values();
    const ship = async (): Promise<void> => {
      for (const name of waiting) await shipOne(name, now).catch(onError);
    };
    await Promise.all(Array.from({ length: sideBySide }, ship));
  };
}
