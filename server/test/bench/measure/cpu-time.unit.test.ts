import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { cpuNanoseconds, familyOf, parentOf, statFields, timeOf } from '../../../bench/measure/cpu-time.ts';

const burn = (ms: number): string => `const end = process.cpuUsage().user + ${ms * 1000};
  while (process.cpuUsage().user < end);`;

test('reads the fields after a process name with spaces and parentheses', () => {
  expect(statFields('12 (a) b (c) S 3 4').slice(0, 2)).toEqual(['S', '3']);
});

test('takes exact thread times, and ticks if ended threads are missing in them', () => {
  const fields = ['S', '7', ...Array.from({ length: 9 }, () => '0'), '3', '1', '5', '2'];
  expect(timeOf(fields, 45_000_001)).toEqual({ parent: 7, ownNs: 45_000_001, reapedNs: 70_000_000 });
  expect(timeOf(fields, 10_000_001).ownNs).toBe(40_000_000);
});

test('finds descendants whatever the order of their pids', () => {
  const process = (parent: number) => ({ parent, ownNs: 1, reapedNs: 0 });
  const all = new Map([
    [2, process(9)],
    [9, process(5)],
    [5, process(1)],
    [6, process(1)],
  ]);
  expect([...familyOf([5], all)].toSorted()).toEqual([2, 5, 9]);
  expect(cpuNanoseconds([5], all)).toBe(3);
});

test('counts the CPU time of this process, and of a child that has ended', () => {
  const before = cpuNanoseconds([process.pid]);
  spawnSync(process.execPath, ['-e', burn(100)]);
  expect(cpuNanoseconds([process.pid]) - before).toBeGreaterThan(100e6);
});

test('counts the CPU time of a running child', async () => {
  const child = spawn(process.execPath, [
    '-e',
    `${burn(100)} console.log('done'); setInterval(() => 0, 1000)`,
  ]);
  try {
    await once(child.stdout, 'data');
    expect(parentOf(child.pid ?? 0)).toBe(process.pid);
    expect(cpuNanoseconds([child.pid ?? 0])).toBeGreaterThan(100e6);
  } finally {
    child.kill('SIGKILL');
  }
});
