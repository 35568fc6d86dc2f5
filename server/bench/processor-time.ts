import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Returns the CPU seconds used by processes and their descendants, including ended ones. */
export function processorSeconds(...pids: number[]): number {
  const all = readAll();
  const family = new Set(pids);
  // A child is started after its parent, but pids wrap: repeat until none is added.
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const [pid, { parent }] of all) if (family.has(parent)) family.add(pid);
  }
  const ticks = [...family].reduce((sum, pid) => sum + (all.get(pid)?.ticks ?? 0), 0);
  return ticks / ticksPerSecond;
}

export const readParentPid = (pid: number): number => Number(readStat(String(pid))?.[1]);

function readAll(): Map<number, { parent: number; ticks: number }> {
  const processes = new Map<number, { parent: number; ticks: number }>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = readStat(name);
    if (!fields) continue;
    // User and system time of the process and of its reaped children.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    processes.set(Number(name), { parent: Number(fields[1]), ticks });
  }
  return processes;
}

/** Returns the fields after the name, which may contain spaces and parentheses. */
function readStat(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
