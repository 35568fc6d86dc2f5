import { readdirSync, readFileSync } from 'node:fs';

const nanosecondsPerTick = 1e7;

export interface ProcessTime {
  parent: number;
  /** CPU time of the process. */
  ownNs: number;
  /** CPU time of its ended and reaped children. */
  reapedNs: number;
}

/** Returns the CPU nanoseconds of processes and all their descendants, including ended ones. */
export function cpuNanoseconds(pids: number[], all = readProcesses()): number {
  return [...familyOf(pids, all)].reduce((sum, pid) => {
    const time = all.get(pid);
    return sum + (time ? time.ownNs + time.reapedNs : 0);
  }, 0);
}

/** Returns the processes and all their running descendants. */
export function familyOf(pids: number[], all = readProcesses()): Set<number> {
  const family = new Set(pids);
  // A child is started after its parent, but pids wrap: repeat until none is added.
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const [pid, { parent }] of all) if (family.has(parent)) family.add(pid);
  }
  return family;
}

export function parentOf(pid: number): number {
  const fields = readFields(String(pid));
  if (!fields) throw new Error(`Process ${pid} is not running.`);
  return Number(fields[1]);
}

export function readProcesses(): Map<number, ProcessTime> {
  const processes = new Map<number, ProcessTime>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = readFields(name);
    if (fields) processes.set(Number(name), timeOf(fields, readThreads(name)));
  }
  return processes;
}

/**
 * Combines the fields of `/proc/PID/stat` with the scheduler's times of the running threads. The threads have a
 * resolution of nanoseconds but exclude ended ones; the ticks include these, with a resolution of 10 ms. Both count the
 * same time, so the larger one is more complete.
 */
export function timeOf(fields: string[], threadsNs: number): ProcessTime {
  const ticks = (from: number): number => Number(fields[from]) + Number(fields[from + 1]);
  return {
    parent: Number(fields[1]),
    ownNs: Math.max(threadsNs, ticks(11) * nanosecondsPerTick),
    reapedNs: ticks(13) * nanosecondsPerTick,
  };
}

function readThreads(pid: string): number {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + readThread(pid, thread), 0);
  } catch {
    return 0;
  }
}

function readThread(pid: string, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]);
  } catch {
    return 0;
  }
}

/** Returns the fields after the name, which may contain spaces and parentheses. */
function readFields(pid: string): string[] | undefined {
  try {
    return statFields(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

export const statFields = (text: string): string[] => text.slice(text.lastIndexOf(')') + 2).split(' ');
