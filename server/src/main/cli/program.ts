import { Command } from 'commander';
import { operatorCommands, operatorMessage } from './commands.ts';

/** Runs one operator command. Errors are printed in one line and set the exit code. */
export async function runOperatorCommand(args: string[]): Promise<void> {
  const program = new Command('disca')
    .description(
      'Operates a Disca service. Reads DATABASE_OPERATOR_URL, or DATABASE_OWNER_URL to administer the machine, and the settings in docs/configuration.md.',
    )
    .showHelpAfterError('Add --help for usage.');
  for (const command of operatorCommands({ args })) program.addCommand(command);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.stderr.write(`${operatorMessage(error) ?? (error as Error).message}\n`);
    process.exitCode = 1;
  }
}
