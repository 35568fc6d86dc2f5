import { runInForeground } from '../run-command.ts';

/**
 * Measures an account while a test account tries to use more than each of its budgets. Options: --seconds, --rate
 * and --short, which judges no times.
 */
export const neighbour = (args: string[]): Promise<number> =>
  runInForeground(process.execPath, ['server/bench/neighbour.ts', ...args]);
