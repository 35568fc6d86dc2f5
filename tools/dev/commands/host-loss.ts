import { runInForeground } from '../run-command.ts';

/** Places recorded calls in a cell on hosts while a host or a service of one is lost. Options: --host (repeatable) and --times. */
export const hostLoss = (args: string[]): Promise<number> =>
  runInForeground(process.execPath, ['server/bench/host-loss.ts', ...args]);
