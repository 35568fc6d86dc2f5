import { runInForeground } from '../run-command.ts';

/** Places calls in a cell on hosts while a host is without power. Options: --host (repeatable) and --times. */
export const hostLoss = (args: string[]): Promise<number> =>
  runInForeground(process.execPath, ['server/bench/host-loss.ts', ...args]);
