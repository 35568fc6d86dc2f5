import { existsSync } from 'node:fs';
import { inDev, logFileOf } from '../paths.ts';
import { runInForeground } from '../run-command.ts';
import { UserError } from '../user-error.ts';
import { engineLogs } from '../voice/dev-services.ts';
import { devServiceNames } from './up.ts';

const shownLines = 200;

const logFiles: Record<string, string> = {
  ...Object.fromEntries(devServiceNames.map((name) => [name, logFileOf(name)])),
  ...engineLogs,
  'test-postgres': inDev('test', 'postgres', 'postgres.log'),
  'test-redis': inDev('test', 'redis', 'redis.log'),
};

export async function logs(args: string[]): Promise<number> {
  const follow = args.includes('-f');
  const name = args.find((word) => word !== '-f');
  const file = name === undefined ? undefined : logFiles[name];
  if (file === undefined) throw new UserError(`Name a service: ${Object.keys(logFiles).join(', ')}.`);
  if (!existsSync(file)) throw new UserError(`${name} has no log yet.`);
  return runInForeground('tail', ['-n', String(shownLines), ...(follow ? ['-F'] : []), file]);
}
