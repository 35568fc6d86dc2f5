import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLines } from '../files.ts';
import { type EndingStep, identify, identifySelf, isRunning } from '../process-identity.ts';
import { endAndRemove, type ProcessRecord, saveRecord } from '../process-records.ts';
import { UserError } from '../user-error.ts';

/** A started service; `pid` follows a restart. */
export interface RunningService {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface ServiceCommand {
  name: string;
  command: string;
  args: string[];
  /** Text of the command line that identifies the process. */
  commandIncludes: string;
  logFile: string;
  cwd: string;
  ending: EndingStep[];
  env?: Record<string, string>;
  user?: { uid: number; gid: number };
  /**
   * Whether the service keeps running after the process that started it exits; otherwise it is then ended as
   * orphaned.
   */
  outlives: boolean;
  isReady(): Promise<boolean>;
}

/** A service exited before it was ready. */
export class ExitedError extends UserError {}

/** Ends hanging starts only: on a slow machine that starts many services, a start takes a minute. */
const readyTimeoutMs = 180_000;
const pollMs = 50;
const maxLogBytes = 20_000_000;
const shownLogLines = 15;

export async function startService(service: ServiceCommand): Promise<ProcessRecord> {
  const entry = launch(service);
  const deadline = Date.now() + readyTimeoutMs;
  while (!(await service.isReady())) {
    if (!isRunning(entry.process))
      throw new ExitedError(`${service.name} exited. ${logEnd(service.logFile)}`);
    if (Date.now() > deadline) {
      await endAndRemove(entry);
      throw new UserError(
        `${service.name} was not ready after ${readyTimeoutMs / 1_000} s and was stopped. ${logEnd(service.logFile)}`,
      );
    }
    await sleep(pollMs);
  }
  // If the service has ended, its port was probably taken, and another program answered the readiness check.
  if (!isRunning(entry.process)) throw new ExitedError(`${service.name} exited. ${logEnd(service.logFile)}`);
  return entry;
}

function launch(service: ServiceCommand): ProcessRecord {
  mkdirSync(dirname(service.logFile), { recursive: true });
  setOldLogAside(service.logFile);
  const log = openSync(service.logFile, 'a');
  const child = spawn(service.command, service.args, {
    cwd: service.cwd,
    ...service.user,
    env: { ...process.env, ...service.env },
    stdio: ['ignore', log, log],
    // Detached, because Ctrl-C must reach only the starting process, which then stops its services in order.
    detached: true,
  });
  closeSync(log);
  // A failure to start is detected as a process that is not running; without a listener it would end this process.
  child.once('error', () => undefined);
  if (child.pid === undefined) throw new UserError(`${service.name} cannot be started: ${service.command}.`);
  child.unref();
  const entry: ProcessRecord = {
    name: service.name,
    process: identify(child.pid, service.commandIncludes),
    startedAt: new Date().toISOString(),
    ending: service.ending,
    ...(service.outlives ? {} : { owner: identifySelf() }),
  };
  saveRecord(entry);
  return entry;
}

export function setOldLogAside(path: string): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxLogBytes) renameSync(path, `${path}.1`);
}

export function logEnd(path: string): string {
  const lines = lastLines(path, shownLogLines);
  return lines.length === 0
    ? `Its log ${path} is empty.`
    : `The last lines of its log ${path}:\n${lines.join('\n')}`;
}
