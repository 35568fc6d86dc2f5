import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../../tools/dev/paths.ts';
import { freePort } from '../../../../tools/dev/ports.ts';
import { politeThenKill } from '../../../../tools/dev/process-identity.ts';
import { endAndRemove } from '../../../../tools/dev/process-records.ts';
import { startService } from '../../../../tools/dev/services/service.ts';

type ProgramName = 'api' | 'worker' | 'voice' | 'shipper';

/** A program of the service as a separate process. */
export interface Program {
  name: string;
  opsPort: number;
  readonly pid: number;
  /** Stops it gracefully and restarts it; returns how long it took to end and to be ready again. */
  restart(): Promise<{ endedMs: number; readyMs: number }>;
  /** Kills it, as a crash would; it stays down until it is started. */
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
  log(): string;
}

export async function startProgram(
  kind: ProgramName,
  number: number,
  options: { dir: string; env: Record<string, string> },
): Promise<Program> {
  const opsPort = await freePort();
  const name = `${kind}${number}`;
  const entryFile = join(root, `server/src/main/${kind}.ts`);
  const logFile = join(options.dir, `${name}.log`);
  const start = () =>
    startService({
      name: `many-${name}-${opsPort}`,
      command: process.execPath,
      args: [entryFile],
      commandIncludes: entryFile,
      logFile,
      cwd: root,
      ending: politeThenKill,
      outlives: false,
      env: { ...options.env, OPS_PORT: String(opsPort) },
      isReady: () => answersOk(`http://127.0.0.1:${opsPort}/health/ready`),
    });
  let entry = await start();
  return {
    name,
    opsPort,
    get pid() {
      return entry.process.pid;
    },
    log: () => readFileSync(logFile, 'utf8'),
    kill: () => endAndRemove(entry, [{ signal: 'SIGKILL', waitMs: 5_000 }]),
    async start() {
      entry = await start();
    },
    stop: () => endAndRemove(entry),
    async restart() {
      const beganAtMs = Date.now();
      await endAndRemove(entry);
      const endedMs = Date.now() - beganAtMs;
      entry = await start();
      return { endedMs, readyMs: Date.now() - beganAtMs };
    },
  };
}

async function answersOk(url: string): Promise<boolean> {
  const answer = await fetch(url).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok ?? false;
}
