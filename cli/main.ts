import { integratorProgram } from './program.ts';
import { run } from './run.ts';

/** Everything that `disca` does. What operators do brings the service along, which takes a second: only for them. */
const program = integratorProgram();
const [first] = process.argv.slice(2);
if (first !== 'completion' && program.commands.some((command) => command.name() === first)) {
  await run(program);
} else {
  const { operatorCommands, operatorMessage } = await import('../server/src/main/cli/commands.ts');
  program.commandsGroup('For operators, on the machine of the service:');
  for (const command of operatorCommands()) program.addCommand(command);
  await run(program, operatorMessage);
}
