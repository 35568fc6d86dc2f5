import { runInForeground } from '../run-command.ts';

/** Backs up and restores a large database. Option: --gigabytes. */
export const restoreDrill = (args: string[]): Promise<number> =>
  runInForeground(process.execPath, ['server/bench/restore-drill.ts', ...args]);
