import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { machineTimeOf, pinService, readMachineTime, stealShare } from '../../../bench/measure/machine.ts';

test('reads the total and the stolen time of all CPUs', () => {
  const text = 'cpu  10 1 5 80 2 0 1 1 7 7\ncpu0 1 1 1 1 1 1 1 1 0 0\n';
  expect(machineTimeOf(text)).toEqual({ total: 100, steal: 1 });
});

test('returns the share of stolen time between two readings', () => {
  expect(stealShare({ total: 100, steal: 1 }, { total: 300, steal: 11 })).toBe(0.05);
  expect(stealShare({ total: 100, steal: 1 }, { total: 100, steal: 1 })).toBe(0);
  expect(readMachineTime().total).toBeGreaterThan(0);
});

test('pins a process and its children to the CPU of the service', async () => {
  const child = spawn('sh', ['-c', 'sleep 60 & echo $!; wait'], { detached: true });
  try {
    const [text] = (await once(child.stdout, 'data')) as [Buffer];
    const pids = [child.pid ?? 0, Number(text)];
    pinService(child.pid ?? 0);
    const expected = availableParallelism() > 1 ? '1' : '0';
    for (const pid of pids) {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      expect(/^Cpus_allowed_list:\s*(.*)$/m.exec(status)?.[1]).toBe(expected);
    }
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
  }
});
