import { runInForeground } from '../run-command.ts';

/** Plans the machines for a demand: --phones, --calls-per-second, and every assumption by its name. */
export const capacity = (args: string[]): Promise<number> =>
  runInForeground(process.execPath, ['tools/capacity.ts', ...args]);
