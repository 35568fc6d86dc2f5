import { Command } from 'commander';
import { Refusal } from '../../platform/errors.ts';
import { accountCommands } from './account.ts';
import { backupCommands } from './backup.ts';
import { callerIdCommands } from './caller-id.ts';
import { capsCommands } from './caps.ts';
import { creditCommands } from './credit.ts';
import { ledgerCommands } from './ledger.ts';
import { nodeCommands } from './node.ts';
import { personCommands } from './person.ts';
import { ratesCommands } from './rates.ts';
import { restoreCommands } from './restore.ts';
import { trunkCommands } from './trunk.ts';

const program = new Command('disca')
  .description(
    'Operates a Disca service. Reads DATABASE_OWNER_URL and the settings of docs/configuration.md.',
  )
  .showHelpAfterError('Add --help to see how it is used.');
for (const command of [
  accountCommands(),
  capsCommands(),
  callerIdCommands(),
  creditCommands(),
  ratesCommands(),
  ledgerCommands(),
  trunkCommands(),
  nodeCommands(),
  personCommands(),
  backupCommands(),
  restoreCommands(),
])
  program.addCommand(command);

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 1;
}

function messageOf(error: unknown): string {
  if (error instanceof Refusal && error.code === 'NOT_FOUND')
    return 'There is no such account. Name it by domain, uuid or number.';
  if (error instanceof Refusal)
    return error.details?.map((fault) => fault.message).join('\n') ?? error.message;
  return (error as Error).message;
}
