import { delimiter, join } from 'node:path';
import { advisories } from './commands/advisories.ts';
import { audio } from './commands/audio.ts';
import { bench } from './commands/bench.ts';
import { capacity } from './commands/capacity.ts';
import { cell } from './commands/cell.ts';
import { chaos } from './commands/chaos.ts';
import { check } from './commands/check.ts';
import { containers } from './commands/containers.ts';
import { control } from './commands/control.ts';
import { demo } from './commands/demo.ts';
import { disca } from './commands/disca.ts';
import { down } from './commands/down.ts';
import { env } from './commands/env.ts';
import { failover } from './commands/failover.ts';
import { fuzz } from './commands/fuzz.ts';
import { help } from './commands/help.ts';
import { hostLoss } from './commands/host-loss.ts';
import { logs } from './commands/logs.ts';
import { neighbour } from './commands/neighbour.ts';
import { phone } from './commands/phone.ts';
import { psql } from './commands/psql.ts';
import { reset } from './commands/reset.ts';
import { restoreDrill } from './commands/restore-drill.ts';
import { rolling } from './commands/rolling.ts';
import { screenshots } from './commands/screenshots.ts';
import { setup } from './commands/setup.ts';
import { status } from './commands/status.ts';
import { test } from './commands/test.ts';
import { up } from './commands/up.ts';
import { root } from './paths.ts';
import { UserError } from './user-error.ts';

/** Each command receives the arguments after its name and returns the exit code. */
const commands: Record<string, (args: string[]) => Promise<number>> = {
  setup,
  up,
  down,
  status,
  logs,
  reset,
  check,
  advisories,
  test,
  screenshots,
  bench,
  capacity,
  cell,
  failover,
  'host-loss': hostLoss,
  fuzz,
  chaos,
  'restore-drill': restoreDrill,
  rolling,
  neighbour,
  audio,
  control,
  containers,
  phone,
  demo,
  psql,
  disca,
  env,
  help,
};

async function main(): Promise<number> {
  // All programs must use the pinned Node, not the system's.
  process.env.PATH = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const [name = 'help', ...args] = process.argv.slice(2);
  const command = commands[['-h', '--help'].includes(name) ? 'help' : name];
  if (!command) throw new UserError(`Unknown command: ./dev ${name}. Run ./dev help for a list.`);
  return command(args);
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof UserError ? error.message : error);
  process.exitCode = 1;
}
