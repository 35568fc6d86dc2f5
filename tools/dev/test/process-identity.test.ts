import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { endProcess, identify, isRunning } from '../process-identity.ts';

const started: ChildProcess[] = [];

async function startSleeper(): Promise<number> {
  const child = spawn('sleep', ['300'], { stdio: 'ignore' });
  started.push(child);
  const { pid } = child;
  if (pid === undefined) throw new Error('sleep did not start');
  // During exec the new program has no command line yet.
  const command = () => readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  await vi.waitFor(() => expect(command()).not.toBe(''), { timeout: 120_000, interval: 5 });
  return pid;
}

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

describe('process identity', () => {
  it('recognises a process until it has ended', async () => {
    const identity = identify(await startSleeper(), 'sleep 300');
    expect(isRunning(identity)).toBe(true);
    await endProcess(identity);
    expect(isRunning(identity)).toBe(false);
  });

  it('rejects a process with another start time, command or boot', async () => {
    const identity = identify(await startSleeper(), 'sleep 300');
    expect(isRunning({ ...identity, startTicks: identity.startTicks - 1 })).toBe(false);
    expect(isRunning({ ...identity, commandIncludes: 'postgres' })).toBe(false);
    expect(isRunning({ ...identity, bootId: 'an earlier one' })).toBe(false);
  });

  it('sends no signal when the pid belongs to another process', async () => {
    const identity = identify(await startSleeper(), 'sleep 300');
    await endProcess({ ...identity, commandIncludes: 'redis-server' });
    expect(isRunning(identity)).toBe(true);
  });

  it('ends a frozen process', async () => {
    const identity = identify(await startSleeper(), 'sleep 300');
    process.kill(identity.pid, 'SIGSTOP');
    await endProcess(identity);
    expect(isRunning(identity)).toBe(false);
  });
});
