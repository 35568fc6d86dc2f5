import { Command } from 'commander';
import { Refusal } from '../../platform/errors.ts';
import { accountCommands } from './account.ts';
import { beginAct, endAct, type Invocation } from './act.ts';
import { approvalCommands } from './approvals.ts';
import { backupCommands } from './backup.ts';
import { banCommands } from './ban.ts';
import { budgetCommands } from './budgets.ts';
import { callerIdCommands } from './caller-id.ts';
import { capsCommands } from './caps.ts';
import { commandRules } from './command-rules.ts';
import { creditCommands } from './credit.ts';
import { doctorCommand } from './doctor.ts';
import { keyCommands } from './keys.ts';
import { ledgerCommands } from './ledger.ts';
import { migrateCommands } from './migrate.ts';
import { nodeCommands } from './node.ts';
import { operatorLoginCommands } from './operator-login.ts';
import { operatorLogCommands, operatorsCommands } from './operators.ts';
import { personCommands } from './person.ts';
import { ratesCommands } from './rates.ts';
import { restoreCommands } from './restore.ts';
import { trunkCommands } from './trunk.ts';

/**
 * Returns the operator commands, each with the check of who runs it, which run on a machine of the service. They read
 * DATABASE_OPERATOR_URL, or DATABASE_OWNER_URL to administer the machine, and the service's settings.
 */
export function operatorCommands(invocation: Invocation): Command[] {
  const commands = allCommands();
  for (const command of commands) {
    addReasons(command);
    command.hook('preAction', (_, action) => beginAct(action, invocation));
    command.hook('postAction', (_, action) => endAct(action));
  }
  return commands;
}

/** Runs the command line of a request that a second operator approved. */
async function runApproved(invocation: Invocation): Promise<void> {
  const program = new Command('disca');
  for (const command of operatorCommands(invocation)) program.addCommand(command);
  await program.parseAsync(invocation.args, { from: 'user' });
}

/** Adds --reason to every command that changes something and has none. */
function addReasons(command: Command): void {
  for (const each of command.commands) addReasons(each);
  const rule = commandRules[namesOf(command)];
  const changes = rule?.kind === 'change' || rule?.isLogged || rule?.changesWith !== undefined;
  if (changes && !command.options.some(({ long }) => long === '--reason'))
    command.option(
      '--reason <text>',
      rule?.isLogged
        ? 'why; written to the operator log'
        : 'why; written to the operator log, and required once there are operators',
    );
}

const namesOf = (command: Command): string =>
  command.parent ? `${namesOf(command.parent)} ${command.name()}` : command.name();

const allCommands = (): Command[] => [
  accountCommands(),
  capsCommands(),
  budgetCommands(),
  callerIdCommands(),
  creditCommands(),
  ratesCommands(),
  ledgerCommands(),
  keyCommands(),
  trunkCommands(),
  nodeCommands(),
  banCommands(),
  personCommands(),
  backupCommands(),
  restoreCommands(),
  migrateCommands(),
  doctorCommand(),
  operatorLoginCommands(),
  operatorsCommands(),
  operatorLogCommands(),
  approvalCommands(runApproved),
];

/** Returns the message that a refusal shows to an operator. */
export function operatorMessage(error: unknown): string | undefined {
  if (!(error instanceof Refusal)) return undefined;
  if (error.code === 'NOT_FOUND') return 'Account not found. Give its domain, UUID or number.';
  return error.details?.map((fault) => fault.message).join('\n') ?? error.message;
}
