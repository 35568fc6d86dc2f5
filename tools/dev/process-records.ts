import { readdirSync, rmSync } from 'node:fs';
import { isMissing, readJson, writeJson } from './files.ts';
import { inDev } from './paths.ts';
import { type EndingStep, endProcess, isRunning, type ProcessIdentity } from './process-identity.ts';

/** A process that this checkout started. One file each, so that parallel tests do not overwrite each other. */
export interface ProcessRecord {
  name: string;
  process: ProcessIdentity;
  startedAt: string;
  ending: EndingStep[];
  /** The process that started this one for its own use; once the owner has ended, this process is orphaned. */
  owner?: ProcessIdentity;
}

const recordsDir = inDev('run');
const fileOf = (name: string): string => inDev('run', `${name}.json`);

export function saveRecord(entry: ProcessRecord): void {
  writeJson(fileOf(entry.name), entry);
}

export function findRunning(name: string): ProcessRecord | undefined {
  const entry = findRecorded(name);
  return entry && isRunning(entry.process) ? entry : undefined;
}

/** Returns a recorded service, including one that has died since. */
export function findRecorded(name: string): ProcessRecord | undefined {
  return readJson<ProcessRecord>(fileOf(name));
}

export function allRecorded(): ProcessRecord[] {
  try {
    return readdirSync(recordsDir)
      .filter((file) => file.endsWith('.json'))
      .map((file) => findRecorded(file.slice(0, -'.json'.length)))
      .filter((entry) => entry !== undefined);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

export async function endAndRemove(entry: ProcessRecord, ending = entry.ending): Promise<void> {
  await endProcess(entry.process, ending);
  removeRecord(entry);
}

/** Removes only the record of this process: another process may have taken the name since. */
export function removeRecord(entry: ProcessRecord): void {
  const recorded = findRecorded(entry.name);
  if (recorded?.process.pid === entry.process.pid) rmSync(fileOf(entry.name), { force: true });
}

export async function endOrphans(): Promise<number> {
  const strays = allRecorded().filter((entry) => entry.owner && !isRunning(entry.owner));
  await Promise.all(strays.map((entry) => endAndRemove(entry)));
  return strays.length;
}
