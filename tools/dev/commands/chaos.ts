import { runInForeground } from '../run-command.ts';

/** Places calls while processes are killed at random. Options: --calls, --kills, --rate and --seed. */
export const chaos = (args: string[]): Promise<number> =>
  runInForeground(process.execPath, ['server/bench/chaos.ts', ...args]);
