import { join } from 'node:path';
import { operatorEnvironment } from '../environment.ts';
import { root } from '../paths.ts';
import { findRunning } from '../process-records.ts';
import { runInForeground } from '../run-command.ts';
import { UserError } from '../user-error.ts';

/** Runs the operator's command line on the development database. */
export async function disca(args: string[]): Promise<number> {
  if (!findRunning('postgres')) throw new UserError('PostgreSQL is not running. Run ./dev up.');
  return runInForeground(join(root, 'disca'), args, operatorEnvironment());
}
