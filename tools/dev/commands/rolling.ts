import { runInForeground } from '../run-command.ts';

/**
 * Restarts the processes one by one while calls are placed. Options: --seconds, --rate and --engines. With --hosts, upgrades
 * a cell on separate hosts from the previous release, and goes back.
 */
export const rolling = (args: string[]): Promise<number> =>
  args.join() === '--hosts'
    ? runInForeground(process.execPath, ['server/bench/upgrade-hosts.ts'])
    : runInForeground(process.execPath, ['server/bench/rolling.ts', ...args]);
