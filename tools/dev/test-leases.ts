import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing, readJson, writeJson } from './files.ts';
import { inDev } from './paths.ts';
import { identifySelf, isRunning, type ProcessIdentity } from './process-identity.ts';

const folder = inDev('test', 'leases');

/** Records that this process uses the test services, so that they are not stopped while it runs. */
export function takeTestLease(): { giveBack(): void } {
  const file = join(folder, `${process.pid}.json`);
  writeJson(file, identifySelf());
  return { giveBack: () => rmSync(file, { force: true }) };
}

export function testRunsInProgress(): number[] {
  try {
    return readdirSync(folder)
      .map((file) => readJson<ProcessIdentity>(join(folder, file)))
      .filter((holder) => holder !== undefined && isRunning(holder))
      .map((holder) => holder?.pid ?? 0);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
