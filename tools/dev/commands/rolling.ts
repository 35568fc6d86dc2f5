import { runInForeground } from '../run-command.ts';

/** Restarts every process, one after the other, while calls are placed: --seconds, --rate and --engines. */
export const rolling = (args: string[]): Promise<number> =>
  runInForeground(process.execPath, ['server/bench/rolling.ts', ...args]);
