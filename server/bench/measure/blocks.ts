import { setTimeout as sleep } from 'node:timers/promises';
import type { Calibration } from './calibration.ts';
import { cpuBetween, type Processes, readProcesses } from './cpu-time.ts';
import { readMachineTime, stealShare } from './machine.ts';

/** Measured process trees. The pids are read at every block, because an engine may be restarted. */
export interface Watched {
  name: string;
  pids(): number[];
}

/** One side of a comparison. */
export interface Side {
  name: string;
  watched: Watched[];
  /** Creates the conditions of this side before it is measured. */
  prepare?(): Promise<void>;
  /** Sends the load of one block at a fixed rate and waits until its work is done. */
  load(): Promise<Load>;
}

export interface Load {
  /** Completed units of work: calls, webhooks, logins, requests. */
  units: number;
  /** Further results of the block that are compared in pairs, such as a median latency. */
  values?: Record<string, number>;
}

/** Returns how to watch a service, also after its restart. */
export const watch = (name: string, ...services: { readonly pid: number }[]): Watched => ({
  name,
  pids: () => services.map(({ pid }) => pid),
});

/** CPU milliseconds per second of each process without load. */
export type Idle = Map<string, number>;

export interface Block {
  side: string;
  units: number;
  /** CPU milliseconds per unit of each process, without its idle cost, at the CPU's usual speed. */
  costs: Map<string, number>;
  /** Sum of `costs`. */
  costMs: number;
  values: Record<string, number>;
  steal: number;
  /** Mean CPU milliseconds of the calibration's work during the block. */
  calibrationMs: number;
}

/** Measures the processes of a side without load. */
export async function measureIdle(
  watched: Watched[],
  lengthMs: number,
  calibration: Calibration,
): Promise<Idle> {
  await calibration.take();
  const before = readWatched(watched);
  const startedAtMs = performance.now();
  await sleep(lengthMs);
  const seconds = (performance.now() - startedAtMs) / 1000;
  const after = readWatched(watched);
  const slower = (await calibration.take()) / calibration.usualMs;
  return new Map(
    watched.map(({ name, pids }) => [name, cpuBetween(before, after, pids()) / 1e6 / slower / seconds]),
  );
}

/** Measures one block of load. Its CPU time is divided by how much slower the CPU was than usual. */
export async function measureBlock(side: Side, idle: Idle, calibration: Calibration): Promise<Block> {
  await calibration.take();
  const machineBefore = readMachineTime();
  const before = readWatched(side.watched);
  const startedAtMs = performance.now();
  const { units, values = {} } = await side.load();
  const seconds = (performance.now() - startedAtMs) / 1000;
  const after = readWatched(side.watched);
  const steal = stealShare(machineBefore, readMachineTime());
  const calibrationMs = await calibration.take();
  const slower = calibrationMs / calibration.usualMs;
  const costs = new Map(
    side.watched.map(({ name, pids }) => [
      name,
      (cpuBetween(before, after, pids()) / 1e6 / slower - (idle.get(name) ?? 0) * seconds) / units,
    ]),
  );
  const costMs = [...costs.values()].reduce((sum, ms) => sum + ms, 0);
  return { side: side.name, units, costs, costMs, values, steal, calibrationMs };
}

const readWatched = (watched: Watched[]): Processes => readProcesses(watched.flatMap(({ pids }) => pids()));
