import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Identity of a process. Pids are reused, so a pid alone may belong to another process by now. */
export interface ProcessIdentity {
  pid: number;
  /** Clock ticks from boot to the start of the process. */
  startTicks: number;
  /** Ticks start again at every boot. */
  bootId: string;
  /** Text that the command line of the process contains. */
  commandIncludes: string;
}

export interface EndingStep {
  signal: NodeJS.Signals;
  waitMs: number;
  /** Signals the whole process group: children of a killed leader may keep serving. */
  wholeGroup?: boolean;
}

export const politeThenKill: EndingStep[] = [
  { signal: 'SIGTERM', waitMs: 15_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
];

const pollMs = 25;
const replacingMs = 1_000;

export function identify(pid: number, commandIncludes: string): ProcessIdentity {
  const stat = readStat(pid);
  if (!stat) throw new Error(`Process ${pid} exited immediately after start.`);
  return { pid, startTicks: stat.startTicks, bootId: bootId(), commandIncludes };
}

export function identifySelf(): ProcessIdentity {
  return identify(process.pid, '');
}

export function isRunning(identity: ProcessIdentity): boolean {
  if (identity.bootId !== bootId()) return false;
  const stat = readStat(identity.pid);
  if (!stat || stat.state === 'Z' || stat.startTicks !== identity.startTicks) return false;
  const command = readProc(identity.pid, 'cmdline').replaceAll('\0', ' ');
  // During exec a process briefly has no command line.
  return command === '' || command.includes(identity.commandIncludes);
}

/** Returns whether the process is in the middle of exec, when its command is not known yet. */
function isBeingReplaced(pid: number): boolean {
  const stat = readStat(pid);
  return stat !== undefined && stat.state !== 'Z' && readProc(pid, 'cmdline') === '';
}

/** Ends the recorded process with increasingly strong signals. Resolves once it is gone. */
export async function endProcess(identity: ProcessIdentity, steps = politeThenKill): Promise<void> {
  let isThere = (): boolean => isRunning(identity);
  await hasEnded(() => isBeingReplaced(identity.pid), replacingMs);
  for (const { signal, waitMs, wholeGroup = false } of steps) {
    isThere = () => (wholeGroup ? groupIsRunning(identity) : isRunning(identity));
    const target = wholeGroup ? -identity.pid : identity.pid;
    if (!isThere() || !send(target, signal)) continue;
    // A stopped process reacts only to SIGKILL and SIGCONT until it is continued.
    if (signal !== 'SIGKILL') send(target, 'SIGCONT');
    await hasEnded(isThere, waitMs);
  }
  if (isThere()) throw new Error(`Process ${identity.pid} does not exit.`);
}

async function hasEnded(isThere: () => boolean, waitMs: number): Promise<void> {
  const deadline = Date.now() + waitMs;
  while (isThere() && Date.now() < deadline) await sleep(pollMs);
}

/**
 * Returns whether the group still has members. A group id is not reused while it has, so they are the recorded ones.
 */
function groupIsRunning(identity: ProcessIdentity): boolean {
  if (identity.bootId !== bootId()) return false;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((name) => {
      const stat = readStat(Number(name));
      return (
        stat?.group === identity.pid &&
        stat.state !== 'Z' &&
        stat.startTicks >= identity.startTicks &&
        readProc(Number(name), 'cmdline').replaceAll('\0', ' ').includes(identity.commandIncludes)
      );
    });
}

function send(target: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

function readStat(pid: number): { state: string; group: number; startTicks: number } | undefined {
  const text = readProc(pid, 'stat');
  if (text === '') return undefined;
  // The name in parentheses may contain spaces and parentheses; count the fields after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', group: Number(fields[2]), startTicks: Number(fields[19]) };
}

function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}
