import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Controller } from './controller.ts';

const namePattern = /^([0-9a-f]{8}-[0-9a-f-]{27})\.wav$/;
/** The engine has let go of a file that did not change for so long. */
const restMs = 1_500;
/** What no call wants after a day, no call will want. */
const forgottenMs = 24 * 3600 * 1000;
const sideBySide = 4;

/** Carries finished recordings to the controller and removes what is in good hands there. */
export async function shipRecordings(
  controller: Controller,
  directory: string,
  now: number,
  onError: (error: unknown) => void,
): Promise<void> {
  const names = (await readdir(directory)).filter((name) => namePattern.test(name));
  const waiting = names.values();
  const ship = async (): Promise<void> => {
    for (const name of waiting) await shipOne(controller, join(directory, name), name, now).catch(onError);
  };
  await Promise.all(Array.from({ length: sideBySide }, ship));
}

async function shipOne(controller: Controller, file: string, name: string, now: number): Promise<void> {
  const { mtimeMs, size } = await stat(file);
  if (now - mtimeMs < restMs) return;
  const callId = namePattern.exec(name)?.[1] ?? '';
  const isDone = size > 0 && (await controller.sendRecording(callId, file));
  if (isDone || now - mtimeMs > forgottenMs) await rm(file, { force: true });
}
