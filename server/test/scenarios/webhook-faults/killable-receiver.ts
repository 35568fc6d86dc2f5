import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../../tools/dev/ports.ts';

export interface Received {
  path: string;
  headers: Record<string, string>;
  text: string;
}

/** A receiver in a separate process, which restarts some time after it was killed. */
export interface KillableReceiver {
  origin: string;
  kill(): Promise<void>;
  /** Returns the webhooks received so far. */
  received(): Received[];
  stop(): Promise<void>;
}

const comesBackMs = 300;

export async function startKillableReceiver(dir: string): Promise<KillableReceiver> {
  const file = join(dir, 'received.jsonl');
  const port = await freePort();
  writeFileSync(file, '');
  let isStopping = false;
  let child: ChildProcess;
  const start = (): void => {
    const env = { ...process.env, RECEIVER_PORT: String(port), RECEIVER_FILE: file };
    child = fork(new URL('receiver-process.ts', import.meta.url), { env });
    child.once('exit', () => {
      if (!isStopping) setTimeout(start, comesBackMs);
    });
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    }
  };
  start();
  return {
    origin: `http://127.0.0.1:${port}`,
    async kill() {
      await kill();
      await sleep(comesBackMs);
    },
    received: () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Received),
    async stop() {
      isStopping = true;
      await kill();
    },
  };
}
