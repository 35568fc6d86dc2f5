import { join } from 'node:path';
import { freePort } from '../../../tools/dev/ports.ts';
import { politeThenKill } from '../../../tools/dev/process-identity.ts';
import { endAndRemove } from '../../../tools/dev/process-records.ts';
import { startService } from '../../../tools/dev/services/service.ts';
import { pinService } from '../measure/machine.ts';

export interface Program {
  pid: number;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  /** Unique among the processes of this checkout. */
  name: string;
  /** Relative to `root`. */
  file: string;
  root: string;
  dir: string;
  env: Record<string, string>;
  /** Default: the readiness check of the service's programs. */
  readyUrl?: string;
  /** Whether to keep a CPU profile. */
  profile?: boolean;
}

/** Starts a Node.js program on the CPU of the service. */
export async function startProgram({
  name,
  file,
  root,
  dir,
  env,
  profile = false,
  ...options
}: ProgramOptions): Promise<Program> {
  const opsPort = await freePort();
  const readyUrl = options.readyUrl ?? `http://127.0.0.1:${opsPort}/health/ready`;
  const profiling = ['--cpu-prof', `--cpu-prof-name=${name}.cpuprofile`, `--cpu-prof-dir=${dir}`];
  const entry = await startService({
    name: `bench-${name}`,
    command: process.execPath,
    args: [...(profile ? profiling : []), file],
    commandIncludes: file,
    logFile: join(dir, `${name}.log`),
    cwd: root,
    ending: politeThenKill,
    outlives: false,
    env: { ...env, OPS_PORT: String(opsPort) },
    isReady: () => isOk(readyUrl),
  });
  pinService(entry.process.pid);
  return { pid: entry.process.pid, stop: () => endAndRemove(entry) };
}

async function isOk(url: string): Promise<boolean> {
  const answer = await fetch(url).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok ?? false;
}
