import { Command, InvalidArgumentError } from 'commander';
import { showAccount } from '../../contexts/accounts/index.ts';
import { assignCallerId, readCallerIds, unassignCallerId } from '../../contexts/caller-ids/index.ts';
import { internationalDigits } from '../../platform/phone.ts';
import { answer, asOperator, withJson } from './operator.ts';

type Json = { json?: boolean };

function phoneNumber(text: string): string {
  const digits = internationalDigits(text);
  if (digits === undefined) throw new InvalidArgumentError('It is a valid number with its country code.');
  return digits;
}

export function callerIdCommands(): Command {
  const callerId = new Command('caller-id').description('numbers that accounts may show, in their mode');
  const named = (name: string, description: string): Command =>
    withJson(
      callerId.command(name).description(description).argument('<account>', 'its domain, uuid or number'),
    );

  named('list', 'list the numbers of an account').action(async (name: string, options: Json) => {
    await asOperator(async (operator) => {
      const account = await showAccount(operator, name);
      const found = await readCallerIds(operator, account.id);
      const lines = found.map(({ number, status, source }) => `${number.padEnd(16)} ${status}, ${source}`);
      answer(options, found, lines.join('\n') || `${account.domain} has no caller ids.`);
    });
  });
  named('assign', 'make a number its own without a code')
    .argument('<number>', 'with country code', phoneNumber)
    .action(async (name: string, number: string, options: Json) => {
      await asOperator(async (operator) => {
        const account = await showAccount(operator, name);
        const callerId = await assignCallerId(operator, account.id, number);
        answer(options, callerId, `${account.domain} owns ${number} in ${account.mode} mode.`);
      });
    });
  named('remove', 'take a number from it')
    .argument('<number>', 'with country code', phoneNumber)
    .action(async (name: string, number: string, options: Json) => {
      await asOperator(async (operator) => {
        const account = await showAccount(operator, name);
        const callerId = await unassignCallerId(operator, account.id, number);
        answer(options, callerId, `${account.domain} does not have ${number} any more.`);
      });
    });
  return callerId;
}
