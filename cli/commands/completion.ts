import { Argument, Command } from 'commander';
import { bashScript, fishScript, zshScript } from '../completion.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };
type Shell = keyof typeof scripts;

export function completionCommand(): Command {
  return new Command('completion')
    .description('print a completion script for your shell, such as: source <(disca completion bash)')
    .addArgument(new Argument('<shell>').choices(Object.keys(scripts)))
    .action((shell: Shell, _options: object, command: Command) => {
      if (command.parent) process.stdout.write(scripts[shell](command.parent));
    });
}
