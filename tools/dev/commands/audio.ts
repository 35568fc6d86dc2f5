import { runInForeground } from '../run-command.ts';

/** Places calls and measures what both parties hear. Options: --calls, --concurrency, --seed, --disturb and --append. */
export const audio = (args: string[]): Promise<number> =>
  runInForeground(process.execPath, ['server/bench/audio.ts', ...args]);
