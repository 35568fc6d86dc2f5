import { devDatabase, ownerDatabaseUrl } from '../environment.ts';
import { findRunning } from '../process-records.ts';
import { runInForeground } from '../run-command.ts';
import { postgresProgram } from '../services/postgres-programs.ts';
import { UserError } from '../user-error.ts';

export async function psql(args: string[]): Promise<number> {
  if (!findRunning('postgres')) throw new UserError('PostgreSQL is not running. Run ./dev up.');
  // Passes the password in the environment, to keep it out of process lists.
  const url = new URL(ownerDatabaseUrl(devDatabase));
  const env = {
    PGHOST: url.hostname,
    PGPORT: url.port,
    PGUSER: url.username,
    PGPASSWORD: decodeURIComponent(url.password),
    PGDATABASE: devDatabase,
  };
  return runInForeground(postgresProgram('psql'), args, env);
}
