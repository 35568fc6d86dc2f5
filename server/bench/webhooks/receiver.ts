import { fork } from 'node:child_process';

export interface BenchReceiver {
  origin: string;
  /** Returns the age of each webhook on arrival, in milliseconds, since the last call. */
  takeAges(): Promise<number[]>;
  stop(): Promise<void>;
}

/** Starts the receiver in a separate process, on the CPU of this one. */
export async function startBenchReceiver(): Promise<BenchReceiver> {
  const child = fork(new URL('receiver-process.ts', import.meta.url));
  const answer = <T>(): Promise<T> => new Promise((resolve) => child.once('message', resolve as () => void));
  const { port } = await answer<{ port: number }>();
  return {
    origin: `http://127.0.0.1:${port}`,
    async takeAges() {
      child.send('take');
      return (await answer<{ ages: number[] }>()).ages;
    },
    stop: async () => child.disconnect(),
  };
}
