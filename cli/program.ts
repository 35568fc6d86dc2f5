import { Command } from 'commander';
import { callCommand, hangupCommand } from './commands/call.ts';
import { callsCommand } from './commands/calls.ts';
import { completionCommand } from './commands/completion.ts';
import { extensionsCommand } from './commands/extensions.ts';
import { listenCommand } from './commands/listen.ts';
import { loginCommand, logoutCommand, whoamiCommand } from './commands/login.ts';
import { tokensCommand } from './commands/tokens.ts';
import { topupCommand } from './commands/topup.ts';
import { triggerCommand } from './commands/trigger.ts';

/** What integrators do: all of it by the SDK, so that it needs nothing but an address and a token. */
export function integratorProgram(): Command {
  const program = new Command('disca')
    .description('Disca on the command line.')
    .showHelpAfterError('Add --help to see how it is used.')
    // Lists and what they hold take options of the same names: each counts for the command it follows.
    .enablePositionalOptions()
    .commandsGroup('With a log-in:');
  for (const command of [
    loginCommand(),
    logoutCommand(),
    whoamiCommand(),
    callCommand(),
    callsCommand(),
    hangupCommand(),
    listenCommand(),
    triggerCommand(),
    extensionsCommand(),
    tokensCommand(),
    topupCommand(),
  ])
    program.addCommand(command);
  program.commandsGroup('Your shell:').addCommand(completionCommand());
  return program;
}
