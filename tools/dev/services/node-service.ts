import { join } from 'node:path';
import { logFileOf, root } from '../paths.ts';
import { politeThenKill } from '../process-identity.ts';
import type { ProcessRecord } from '../process-records.ts';
import { startService } from './service.ts';

export interface NodeServiceOptions {
  name: string;
  /** Path of the entry file inside the checkout. */
  entryFile: string;
  env: Record<string, string>;
  readyUrl: string;
}

const answerTimeoutMs = 10_000;

export function startNodeService(options: NodeServiceOptions): Promise<ProcessRecord> {
  const entryPath = join(root, options.entryFile);
  return startService({
    name: options.name,
    command: process.execPath,
    args: [entryPath],
    commandIncludes: entryPath,
    logFile: logFileOf(options.name),
    cwd: root,
    ending: politeThenKill,
    env: options.env,
    outlives: true,
    isReady: () => answersOk(options.readyUrl),
  });
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(answerTimeoutMs) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
