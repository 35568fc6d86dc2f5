import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Controller } from './controller.ts';

const namePattern = /^([0-9a-f]{8}-[0-9a-f-]{27})\.wav$/;
/** A file without a length that is unchanged for this long was left by an engine that has ended. */
const abandonedMs = 30_000;
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
    const { mtimeMs, size, isClosed } = await inspect(file);
    const last = delays.get(name);
    const delay = last?.mtimeMs === mtimeMs ? last : undefined;
    if ((!isClosed && now - mtimeMs < abandonedMs) || (delay && now < delay.until)) return;
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

const headerBytes = 44;
const lengthOffset = 40;

/**
 * The engine writes the audio in blocks of about 2 s and, when it closes the file, its length into the header. Until
 * then the file may lack the end of a call that has already ended.
 */
async function inspect(file: string): Promise<{ mtimeMs: number; size: number; isClosed: boolean }> {
  const handle = await open(file);
  try {
    const { mtimeMs, size } = await handle.stat();
    const header = Buffer.alloc(headerBytes);
    const { bytesRead } = await handle.read(header, 0, headerBytes, 0);
    const length = bytesRead === headerBytes ? header.readUInt32LE(lengthOffset) : 0;
    const isClosed = length > 0 && length === size - headerBytes;
    return { mtimeMs, size, isClosed };
  } finally {
    await handle.close();
  }
}
