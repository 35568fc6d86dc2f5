import { Command } from 'commander';
import { availabilityCommand } from './commands/availability.ts';
import {
  callCommand,
  conferenceCommand,
  controlCommands,
  hangupCommand,
  transferCommand,
} from './commands/call.ts';
import { callsCommand } from './commands/calls.ts';
import { completionCommand } from './commands/completion.ts';
import { extensionsCommand } from './commands/extensions.ts';
import { listenCommand } from './commands/listen.ts';
import { loginCommand, logoutCommand, whoamiCommand } from './commands/login.ts';
import { noteCommand } from './commands/note.ts';
import { permissionsCommand } from './commands/permissions.ts';
import { statementCommand } from './commands/statement.ts';
import { tokensCommand } from './commands/tokens.ts';
import { topupCommand } from './commands/topup.ts';
import { triggerCommand } from './commands/trigger.ts';

/** Commands for integrators. They only use the SDK, so they need only an address and a token. */
export function integratorProgram(): Command {
  const program = new Command('disca')
    .description('Disca on the command line.')
    .showHelpAfterError('Add --help for usage.')
    // Commands and subcommands have options with the same names; each option applies to the command it follows.
    .enablePositionalOptions()
    .commandsGroup('Require a login:');
  for (const command of [
    loginCommand(),
    logoutCommand(),
    whoamiCommand(),
    callCommand(),
    callsCommand(),
    hangupCommand(),
    ...controlCommands(),
    transferCommand(),
    conferenceCommand(),
    noteCommand(),
    availabilityCommand(),
    listenCommand(),
    triggerCommand(),
    extensionsCommand(),
    tokensCommand(),
    permissionsCommand(),
    topupCommand(),
    statementCommand(),
  ])
    program.addCommand(command);
  program.commandsGroup('Shell:').addCommand(completionCommand());
  return program;
}
