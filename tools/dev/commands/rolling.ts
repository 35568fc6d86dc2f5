import { runInForeground } from '../run-command.ts';

/** Restarts the processes one by one while calls are placed. Options: --seconds, --rate and --engines. */
export const rolling = (args: string[]): Promise<number> =>
  runInForeground(process.execPath, ['server/bench/rolling.ts', ...args]);
