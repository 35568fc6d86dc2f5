import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import {
  cpuBetween,
  familyOf,
  type ProcessTime,
  parentOf,
  readProcesses,
  statFields,
  timeOf,
} from '../../../bench/measure/cpu-time.ts';

const burn = (ms: number): string => `const end = process.cpuUsage().user + ${ms * 1000};
  while (process.cpuUsage().user < end);`;

test('reads the fields after a process name with spaces and parentheses', () => {
  expect(statFields('12 (a) b (c) S 3 4').slice(0, 2)).toEqual(['S', '3']);
});

const time = (changes: Partial<ProcessTime> & { ns?: Record<string, number> } = {}): ProcessTime => ({
  parent: 1,
  threads: new Map(Object.entries(changes.ns ?? {})),
  ticksNs: 0,
  reapedNs: 0,
  ...changes,
});

test('reads parent, own time and the time of reaped children', () => {
  const fields = ['S', '7', ...Array.from({ length: 9 }, () => '0'), '3', '1', '5', '2'];
  const threads = new Map([['7', 45_000_001]]);
  expect(timeOf(fields, threads)).toEqual({ parent: 7, threads, ticksNs: 4e7, reapedNs: 7e7 });
});

test('finds descendants whatever the order of their pids', () => {
  const all = new Map([9, 5, 1, 1].map((parent, index) => [[2, 9, 5, 6][index] ?? 0, time({ parent })]));
  expect([...familyOf([5], all)].toSorted()).toEqual([2, 5, 9]);
});

test('compares running threads exactly, and counts a new thread in full', () => {
  const before = new Map([[5, time({ ns: { 5: 100 }, ticksNs: 1e7 })]]);
  const after = new Map([[5, time({ ns: { 5: 150, 6: 7 }, ticksNs: 2e7 })]]);
  expect(cpuBetween(before, after, [5])).toBe(57);
});

test('compares ticks if a thread has ended', () => {
  const before = new Map([[5, time({ ns: { 5: 100, 6: 100 }, ticksNs: 1e7 })]]);
  const after = new Map([[5, time({ ns: { 5: 150 }, ticksNs: 3e7 })]]);
  expect(cpuBetween(before, after, [5])).toBe(2e7);
});

test('counts an ended child by what its parent reaped, less its earlier time', () => {
  const before = new Map([
    [5, time({ ns: { 5: 0 } })],
    [6, time({ parent: 5, ns: { 6: 4e7 } })],
  ]);
  const after = new Map([[5, time({ ns: { 5: 10 }, reapedNs: 9e7 })]]);
  expect(cpuBetween(before, after, [5])).toBe(5e7 + 10);
});

test('counts the CPU time of this process, and of a child that has ended', () => {
  const before = readProcesses([process.pid]);
  spawnSync(process.execPath, ['-e', burn(100)]);
  expect(cpuBetween(before, readProcesses([process.pid]), [process.pid])).toBeGreaterThan(100e6);
});

test('counts the CPU time of a child that was started meanwhile', async () => {
  const before = readProcesses([process.pid]);
  const child = spawn(process.execPath, [
    '-e',
    `${burn(100)} console.log('done'); setInterval(() => 0, 1000)`,
  ]);
  try {
    await once(child.stdout, 'data');
    expect(parentOf(child.pid ?? 0)).toBe(process.pid);
    expect(cpuBetween(before, readProcesses([process.pid]), [child.pid ?? 0])).toBeGreaterThan(100e6);
  } finally {
    child.kill('SIGKILL');
  }
});
