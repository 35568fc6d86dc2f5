import type { Logger } from '../platform/telemetry/log.ts';

interface Running {
  log: Logger;
  graceMs: number;
  /** Finishes work in progress and closes all resources. */
  stop(): Promise<void>;
}

/**
 * Runs a process: starts it or prints the reason for failure, waits for SIGTERM or SIGINT, then finishes work in
 * progress. A second signal, or exceeding the grace period, ends it immediately.
 */
export async function run(
  name: string,
  start: (lifecycle: { isStopping(): boolean }) => Promise<Running>,
): Promise<void> {
  let stopping = false;
  let running: Running;
  try {
    running = await start({ isStopping: () => stopping });
  } catch (error) {
    const reason = `disca ${name} cannot start. ${(error as Error).message}\n`;
    // At exit, after the buffered log lines: the reason is the last line.
    process.once('exit', () => process.stderr.write(reason));
    process.exit(1);
  }
  running.log.info('started');

  const stop = async (signal: string): Promise<void> => {
    if (stopping) process.exit(1);
    stopping = true;
    running.log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), running.graceMs + 2_000).unref();
    await running.stop();
    running.log.info('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void stop(signal));
}
