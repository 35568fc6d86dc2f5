import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { watchStalls } from './stalls.ts';

test('a machine that does not run waiting threads is noticed', async () => {
  const stalls = await watchStalls();
  try {
    const fromMs = Date.now();
    // Another process stops this one, as a busy machine does.
    const stopper = spawn('sh', ['-c', `kill -STOP ${process.pid}; sleep 0.3; kill -CONT ${process.pid}`]);
    await new Promise((resolve) => stopper.on('exit', resolve));
    expect(await stalls.longestBetween(fromMs, Date.now())).toBeGreaterThan(200);
    expect(await stalls.longestBetween(0, 1)).toBe(0);
  } finally {
    await stalls.stop();
  }
});
