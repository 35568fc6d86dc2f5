import { join } from 'node:path';
import { migrateEnvironment } from '../environment.ts';
import { DevFault } from '../fault.ts';
import { root } from '../paths.ts';
import { findRunning } from '../roster.ts';
import { runInForeground } from '../run-command.ts';

/** Runs the operator's command line on the development database. */
export async function disca(args: string[]): Promise<number> {
  if (!findRunning('postgres')) throw new DevFault('PostgreSQL is not running. Run ./dev up.');
  return runInForeground(join(root, 'disca'), args, migrateEnvironment());
}
