import { runInForeground } from '../run-command.ts';

/** Places calls while hosts of the database fail. Options: --fault (repeatable) and --times. */
export const failover = (args: string[]): Promise<number> =>
  runInForeground(process.execPath, ['server/bench/failover.ts', ...args]);
