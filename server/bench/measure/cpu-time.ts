import { readdirSync, readFileSync } from 'node:fs';

const nanosecondsPerTick = 1e7;

/** CPU time of one process at one moment. */
export interface ProcessTime {
  parent: number;
  /** Nanoseconds of each running thread. */
  threads: Map<string, number>;
  /** All threads, including ended ones, in steps of 10 ms. */
  ticksNs: number;
  /** Ended and reaped children, in steps of 10 ms. */
  reapedNs: number;
}

export type Processes = Map<number, ProcessTime>;

/** Returns the CPU nanoseconds of processes and all their descendants between two readings, including ended ones. */
export function cpuBetween(before: Processes, after: Processes, pids: number[]): number {
  const ended = [...familyOf(pids, before)].filter((pid) => !after.has(pid));
  // The whole life of an ended process has been added to its parent's children.
  const endedNs = ended.reduce((sum, pid) => sum + ownNs(before.get(pid)), 0);
  return [...familyOf(pids, after)].reduce((sum, pid) => {
    const [old, now] = [before.get(pid), after.get(pid)];
    return now ? sum + ownBetween(old, now) + now.reapedNs - (old?.reapedNs ?? 0) : sum;
  }, -endedNs);
}

/** Returns a function that returns the CPU milliseconds of processes and their descendants since this call. */
export function cpuSince(pids: number[]): () => number {
  const before = readProcesses(pids);
  return () => cpuBetween(before, readProcesses(pids), pids) / 1e6;
}

/**
 * Compares the threads, which have a resolution of nanoseconds. If one has ended, its time is missing in them; then the
 * ticks, which include it, are more complete.
 */
function ownBetween(old: ProcessTime | undefined, now: ProcessTime): number {
  let threadsNs = 0;
  for (const [thread, ns] of now.threads) threadsNs += ns - (old?.threads.get(thread) ?? 0);
  const hasEnded = old === undefined || [...old.threads.keys()].some((thread) => !now.threads.has(thread));
  return hasEnded ? Math.max(threadsNs, now.ticksNs - (old?.ticksNs ?? 0)) : threadsNs;
}

const ownNs = (time: ProcessTime | undefined): number =>
  time
    ? Math.max(
        time.ticksNs,
        [...time.threads.values()].reduce((sum, ns) => sum + ns, 0),
      )
    : 0;

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

/** Reads all processes of the machine, with the threads of the given ones and their descendants. */
export function readProcesses(pids: number[] = []): Processes {
  const processes: Processes = new Map();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = readFields(name);
    if (fields) processes.set(Number(name), timeOf(fields, new Map()));
  }
  for (const pid of familyOf(pids, processes)) {
    const time = processes.get(pid);
    if (time) time.threads = readThreads(String(pid));
  }
  return processes;
}

/** Reads the fields of `/proc/PID/stat` after the name: parent, then user and system time of itself and its children. */
export function timeOf(fields: string[], threads: Map<string, number>): ProcessTime {
  const ns = (from: number): number => (Number(fields[from]) + Number(fields[from + 1])) * nanosecondsPerTick;
  return { parent: Number(fields[1]), threads, ticksNs: ns(11), reapedNs: ns(13) };
}

function readThreads(pid: string): Map<string, number> {
  const threads = new Map<string, number>();
  for (const thread of list(`/proc/${pid}/task`)) {
    const text = read(`/proc/${pid}/task/${thread}/schedstat`);
    if (text !== undefined) threads.set(thread, Number(text.split(' ', 1)[0]));
  }
  return threads;
}

/** Returns the fields after the name, which may contain spaces and parentheses. */
function readFields(pid: string): string[] | undefined {
  const text = read(`/proc/${pid}/stat`);
  return text === undefined ? undefined : statFields(text);
}

export const statFields = (text: string): string[] => text.slice(text.lastIndexOf(')') + 2).split(' ');

// A process or thread may end while it is read.
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
