import { integratorProgram } from './program.ts';
import { run } from './run.ts';

/** All commands of `disca`. Operator commands are loaded only when needed, because importing the service takes a second. */
const program = integratorProgram();
const [first] = process.argv.slice(2);
if (first !== 'completion' && program.commands.some((command) => command.name() === first)) {
  await run(program);
} else {
  const { operatorCommands, operatorMessage } = await import('../server/src/main/cli/commands.ts');
  program.commandsGroup('For operators, on a machine of the service:');
  for (const command of operatorCommands({ args: process.argv.slice(2) })) program.addCommand(command);
  await run(program, operatorMessage);
}
