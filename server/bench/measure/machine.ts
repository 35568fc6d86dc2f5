import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { familyOf } from './cpu-time.ts';

/** CPU of the load generator and its peers: SIPp, webhook receiver, phones. */
const generatorCpu = 0;
/** CPU of everything measured. */
const serviceCpu = 1;

/** Whether generator and service have separate CPUs. Read before this process is pinned. */
const canPin = availableParallelism() > 1;

/** Pins this process and therefore its future children. */
export const pinGenerator = (): void => pin([process.pid], generatorCpu);

/** Pins processes and their descendants to the CPU of the service. */
export const pinService = (...pids: number[]): void => pin(pids, serviceCpu);

function pin(pids: number[], cpu: number): void {
  if (!canPin) return;
  const pinned = new Set<number>();
  // Repeated, because an unpinned process may have started another one meanwhile.
  for (;;) {
    const found = [...familyOf(pids)].filter((pid) => !pinned.has(pid));
    if (found.length === 0) return;
    for (const pid of found) {
      pinned.add(pid);
      pinThreads(pid, cpu);
    }
  }
}

/** Pins all threads of a process. A process that has ended needs no CPU. */
function pinThreads(pid: number, cpu: number): void {
  try {
    execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(cpu), String(pid)], {
      stdio: 'pipe',
    });
  } catch (error) {
    if (existsSync(`/proc/${pid}`)) throw error;
  }
}

export interface MachineTime {
  /** All ticks of all CPUs. */
  total: number;
  /** Ticks in which the hypervisor ran other machines although this one had work. */
  steal: number;
}

export const readMachineTime = (): MachineTime => machineTimeOf(readFileSync('/proc/stat', 'utf8'));

/** Reads the line of all CPUs: user, nice, system, idle, iowait, irq, softirq, steal. Guest time is part of user time. */
export function machineTimeOf(text: string): MachineTime {
  const fields = /^cpu +(.*)$/m.exec(text)?.[1]?.split(' ').slice(0, 8).map(Number) ?? [];
  return { total: fields.reduce((sum, each) => sum + each, 0), steal: fields[7] ?? 0 };
}

export const stealShare = (before: MachineTime, after: MachineTime): number =>
  after.total === before.total ? 0 : (after.steal - before.steal) / (after.total - before.total);
