import { runInForeground } from '../run-command.ts';
import { UserError } from '../user-error.ts';

/** Starts a whole cell on separate hosts until it is interrupted. */
export async function cell(args: string[]): Promise<number> {
  if (args.join() !== '--hosts') throw new UserError('Usage: ./dev cell --hosts');
  return await runInForeground(process.execPath, ['server/bench/cell.ts']);
}
