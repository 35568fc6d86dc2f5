import { Command } from 'commander';
import { showAccount } from '../../contexts/accounts/index.ts';
import { assignCallerId, readCallerIds, unassignCallerId } from '../../contexts/caller-ids/index.ts';
import { answer, asOperator, withJson } from './operator.ts';
import { phoneArgument } from './phone-argument.ts';

type Json = { json?: boolean };

export function callerIdCommands(): Command {
  const callerId = new Command('caller-id').description(
    'caller IDs that accounts may show, for the account’s current mode',
  );
  const named = (name: string, description: string): Command =>
    withJson(
      callerId
        .command(name)
        .description(description)
        .argument('<account>', 'domain, UUID or number of the account'),
    );

  named('list', 'list the caller IDs of an account').action(async (name: string, options: Json) => {
    await asOperator(async (operator) => {
      const account = await showAccount(operator, name);
      const callerIds = await readCallerIds(operator, account.id);
      const lines = callerIds.map(
        ({ number, status, source }) => `${number.padEnd(16)} ${status}, ${source}`,
      );
      answer(options, callerIds, lines.join('\n') || `${account.domain} has no caller IDs.`);
    });
  });
  named('assign', 'assign a caller ID without a verification code')
    .argument('<number>', 'with country code', phoneArgument)
    .action(async (name: string, number: string, options: Json) => {
      await asOperator(async (operator) => {
        const account = await showAccount(operator, name);
        const callerId = await assignCallerId(operator, account.id, number);
        answer(options, callerId, `${account.domain} owns ${number} in ${account.mode} mode.`);
      });
    });
  named('remove', 'remove a caller ID from an account')
    .argument('<number>', 'with country code', phoneArgument)
    .action(async (name: string, number: string, options: Json) => {
      await asOperator(async (operator) => {
        const account = await showAccount(operator, name);
        const callerId = await unassignCallerId(operator, account.id, number);
        answer(options, callerId, `Removed ${number} from ${account.domain}.`);
      });
    });
  return callerId;
}
