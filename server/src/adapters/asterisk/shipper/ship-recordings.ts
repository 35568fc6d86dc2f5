import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Controller } from './controller.ts';

const namePattern = /^([0-9a-f]{8}-[0-9a-f-]{27})\.wav$/;
/** A file unchanged for this long has been closed by the engine. */
const restMs = 1_500;
/** A file is deleted if no call has expected it after this long. */
const forgottenMs = 24 * 3600 * 1000;
const sideBySide = 4;
const firstPauseMs = 1_000;
const longestPauseMs = 10 * 60 * 1000;

/** A file whose upload was not accepted. */
interface Delay {
  /** If the file has changed since then, it is treated as new. */
  mtimeMs: number;
  pauseMs: number;
  until: number;
}

/**
 * Uploads finished recordings to the controller and deletes those that are stored there. Rejected files are retried
 * with increasing delays, because each attempt sends the whole file.
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
