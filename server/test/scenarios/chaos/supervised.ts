import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../../../tools/dev/paths.ts';
import { identify, politeThenKill } from '../../../../tools/dev/process-identity.ts';
import { type ProcessRecord, removeRecord, saveRecord } from '../../../../tools/dev/process-records.ts';

export type ProgramName = 'api' | 'worker' | 'voice' | 'shipper';

/** A program of the service that is restarted whenever it ends, as by an operator's supervisor. */
export interface Supervised {
  readonly name: ProgramName;
  /** Each time it ended without being killed, with the end of its log; failures to start are not included. */
  readonly crashes: readonly string[];
  readonly kills: number;
  /** Kills it, as a crash would. Resolves when it has ended; it is restarted automatically. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const restartPauseMs = 300;
const shownLogLines = 15;

export function supervise(
  name: ProgramName,
  options: { dir: string; env: Record<string, string> },
): Supervised {
  const entryFile = join(root, `server/src/main/${name}.ts`);
  const logFile = join(options.dir, `${name}-${options.env.OPS_PORT ?? ''}.log`);
  let isStopping = false;
  let isKilled = false;
  const crashes: string[] = [];
  let kills = 0;
  let child: ChildProcess | undefined;
  let entry: ProcessRecord | undefined;

  const start = (): void => {
    const logStart = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
    const log = openSync(logFile, 'a');
    const started = spawn(process.execPath, [entryFile], {
      cwd: root,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    child = started;
    entry = enlisted(`chaos-${name}-${started.pid}`, started, entryFile);
    started.once('exit', (code, signal) => {
      const log = readFileSync(logFile).subarray(logStart).toString();
      if (!isStopping && !isKilled && !hasFailedToStart(log))
        crashes.push(describeCrash({ code, signal, log }));
      void restart();
    });
  };
  const restart = async (): Promise<void> => {
    if (entry) removeRecord(entry);
    child = undefined;
    isKilled = false;
    await sleep(restartPauseMs);
    if (!isStopping) start();
  };
  const end = async (): Promise<void> => {
    const running = child;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const gone = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await gone;
  };
  start();
  return {
    name,
    crashes,
    get kills() {
      return kills;
    },
    async kill() {
      kills += 1;
      isKilled = child !== undefined;
      await end();
    },
    async stop() {
      isStopping = true;
      await end();
    },
  };
}

/**
 * Reports whether the process that wrote this log gave up starting, for example because the database was down. Buffered
 * log lines may follow the message.
 */
const hasFailedToStart = (log: string): boolean => /^disca \w+ cannot start\./m.test(log);

const describeCrash = ({ code, signal, log }: { code: number | null; signal: string | null; log: string }) =>
  `exit code ${code ?? signal}; the last lines of its log:\n${log.trimEnd().split('\n').slice(-shownLogLines).join('\n')}`;

/** Registers the process, so that the next test run can end it if this run is killed. */
function enlisted(name: string, { pid }: ChildProcess, commandIncludes: string): ProcessRecord | undefined {
  if (pid === undefined) return undefined;
  const entry: ProcessRecord = {
    name,
    process: identify(pid, commandIncludes),
    startedAt: new Date().toISOString(),
    ending: politeThenKill,
    owner: identify(process.pid, ''),
  };
  saveRecord(entry);
  return entry;
}
