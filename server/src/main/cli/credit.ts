import { randomUUID } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import { showAccount } from '../../contexts/accounts/index.ts';
import { adjustCredit } from '../../contexts/billing/index.ts';
import { inAccount } from '../../platform/db/database.ts';
import { microsFromReais, reaisFromMicros } from '../../platform/money.ts';
import { answer, asOperator, withJson } from './operator.ts';

function reais(text: string): number {
  if (!/^[+-]?\d{1,9}(\.\d{1,4})?$/.test(text) || Number(text) === 0) {
    throw new InvalidArgumentError('It is reais such as 25.50, or -25.50 to take.');
  }
  return Number(text);
}

export function creditCommands(): Command {
  const credit = new Command('credit').description('credit of accounts');
  withJson(
    credit
      .command('adjust')
      .description('give credit, or take it with a negative amount, in the book of the account’s mode')
      .argument('<account>', 'its domain, uuid or number')
      .argument('<amount>', 'reais', reais)
      .requiredOption('--reason <text>', 'what the customer reads in the statement')
      .option('--key <key>', 'makes the command safe to repeat')
      .allowUnknownOption(),
  ).action(
    async (name: string, amount: number, options: { reason: string; key?: string; json?: boolean }) => {
      await asOperator(async (operator) => {
        const account = await showAccount(operator, name);
        const { availableMicros, heldMicros } = await inAccount(operator.db, account.id, (tx) =>
          adjustCredit(tx, operator, {
            accountId: account.id,
            micros: microsFromReais(amount),
            reason: options.reason,
            key: options.key ?? randomUUID(),
            at: operator.clock.now(),
          }),
        );
        const balance = { available: reaisFromMicros(availableMicros), held: reaisFromMicros(heldMicros) };
        answer(
          options,
          balance,
          `${account.domain} has R$ ${balance.available} available and R$ ${balance.held} held.`,
        );
      });
    },
  );
  return credit;
}
